import { operator } from '../../words/operator';
import type { Header } from './types';

/** Headers as they were or are sent. */
export function Headers({ headers, label }: { headers: readonly Header[]; label: string }) {
  const words = operator();
  return (
    <div class="scrolls" tabIndex={0}>
      <table class="headers" aria-label={label}>
        <tbody>
          {headers.map((header, at) => (
            <tr key={at}>
              <th scope="row">{header.name}</th>
              <td class="mono">{header.value ?? <em class="soft">{words.masked}</em>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
