import { Badge } from '../../parts/badge';
import { operator } from '../../words/operator';
import { reasonOf } from '../../words/reasons';
import { Fact, Facts } from './facts';
import type { Outcome } from './types';

/** What came of a callback that was sent to see what comes. */
export function OutcomeNote({ outcome }: { outcome: Outcome }) {
  const words = operator().outcome;
  const said = outcome.excerpt ?? outcome.detail ?? '';
  return (
    <div class={outcome.delivered ? 'note good' : 'note bad'} role="status">
      <Badge tone={outcome.delivered ? 'good' : 'bad'} icon={outcome.delivered ? 'check' : 'warning'}>
        {outcome.delivered ? words.delivered : words.notDelivered}: {reasonOf(outcome)}
      </Badge>
      <Facts>
        <Fact name={words.answer}>
          {outcome.status ?? outcome.failure} · {words.took(outcome.took_ms)} · {outcome.version}
        </Fact>
        <Fact name={words.address}>
          {outcome.url}
          {outcome.address !== null && ` (${outcome.address})`}
        </Fact>
        {said !== '' && (
          <Fact name={words.said}>
            <code>{said}</code>
          </Fact>
        )}
      </Facts>
    </div>
  );
}
