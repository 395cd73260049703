import { number } from '../../words/language';
import { relays as dictionary } from '../../words/relays';
import { Part } from '../operator/facts';
import { Listed } from '../operator/listed';
import { Troubles } from '../relays/standing';
import type { Relay } from '../relays/types';
import '../relays/relays.css';

/** The relays, with what is wrong with each: it is paused, a target is down, or a hook waits for too long. */
export function Relays({ relays }: { relays: readonly Relay[] }) {
  const words = dictionary();
  return (
    <Part title={words.title}>
      <Listed name="relay-health" columns={[words.relay, words.health, words.waiting]}>
        {relays.map((relay) => (
          <tr key={relay.channel_id}>
            <th scope="row">
              <a href={`/relays/${encodeURIComponent(relay.channel_id)}`}>{relay.channel_id}</a>
            </th>
            <td data-label={words.health}>
              <Troubles relay={relay} />
            </td>
            <td data-label={words.waiting}>{number(relay.targets.reduce((total, { waiting }) => total + waiting, 0))}</td>
          </tr>
        ))}
      </Listed>
    </Part>
  );
}
