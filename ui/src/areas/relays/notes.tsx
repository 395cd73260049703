import { relays } from '../../words/relays';
import { operator } from '../../words/operator';
import { Part } from '../operator/facts';
import { Listed } from '../operator/listed';
import { Moment } from '../operator/program';
import type { Novelty, WrongSignature } from './types';

/** Hooks that were refused, with the probable mistake of each in the words of the service. */
export function WrongSignatures({ hooks }: { hooks: readonly WrongSignature[] }) {
  const words = relays().wrong;
  return (
    <Part title={words.title}>
      <p class="soft">{hooks.length === 0 ? words.none : words.text}</p>
      {hooks.length > 0 && (
        <Listed name="relay-wrong" columns={[words.at, words.from, words.reason, words.length]}>
          {hooks.map((hook, at) => (
            <tr key={at}>
              <th scope="row">
                <Moment at={hook.at} />
              </th>
              <td data-label={words.from}>
                <code>{hook.from ?? '—'}</code>
              </td>
              <td data-label={words.reason}>
                <span lang="en">{hook.reason}</span>
              </td>
              <td data-label={words.length}>{operator().body.length(hook.bytes)}</td>
            </tr>
          ))}
        </Listed>
      )}
    </Part>
  );
}

/** Shapes that the counterpart sent and that this version does not know: names, and no contents. */
export function News({ news }: { news: readonly Novelty[] }) {
  const words = relays().news;
  return (
    <Part title={words.title}>
      <p class="soft">{news.length === 0 ? words.none : words.text}</p>
      {news.length > 0 && (
        <Listed name="relay-news" columns={[words.shape, words.since]}>
          {news.map(({ shape, first_seen_at: since }) => (
            <tr key={shape}>
              <th scope="row">
                <code>{shape}</code>
              </th>
              <td data-label={words.since}>
                <Moment at={since} />
              </td>
            </tr>
          ))}
        </Listed>
      )}
    </Part>
  );
}
