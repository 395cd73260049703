import { Fragment } from 'preact';
import { letters, readable, shortcuts, switchLetters } from '../keys';
import { Dialog } from '../parts/dialog';
import { shortcuts as dictionary } from '../words/shortcuts';
import './shortcuts.css';

/** The shortcuts that hold now: the page's own, then those of the frame. */
export function Shortcuts({ onClose }: { onClose: () => void }) {
  const words = dictionary();
  const [everywhere, ...here] = shortcuts.value.map((group) => group.current);
  const tables = [
    { title: words.here, rows: here.flat() },
    { title: words.everywhere, rows: everywhere ?? [] },
  ].filter((table) => table.rows.length > 0);
  return (
    <Dialog title={words.title} onClose={onClose} wide>
      <div class="shortcuts">
        {tables.map((table) => (
          <table key={table.title}>
            <caption>{table.title}</caption>
            <tbody>
              {table.rows.map((row) => (
                <tr key={row.keys}>
                  <th scope="row">
                    {readable(row.keys)
                      .split(' ')
                      .map((key, at) => (
                        <Fragment key={at}>
                          {at > 0 && ' '}
                          <kbd>{key}</kbd>
                        </Fragment>
                      ))}
                  </th>
                  <td>{row.says}</td>
                </tr>
              ))}
            </tbody>
          </table>
        ))}
      </div>
      <label class="letters">
        <input type="checkbox" checked={letters.value} onChange={(event) => switchLetters(event.currentTarget.checked)} />
        <span>
          {words.letters} <span class="soft">{words.lettersHint}</span>
        </span>
      </label>
    </Dialog>
  );
}
