import { age, moment, number } from '../../words/language';
import { relays } from '../../words/relays';
import { answerOf } from '../callbacks/state';
import { Part } from '../operator/facts';
import { Listed } from '../operator/listed';
import { TargetBadge, isLate, targetOf } from './standing';
import type { Target } from './types';

/** The addresses that a relay passes hooks on to: their health and their numbers. */
export function Targets({ targets }: { targets: readonly Target[] }) {
  const words = relays();
  return (
    <Part title={words.targets}>
      <Listed name="relay-targets" columns={[words.target, words.health, words.hooks.title]}>
        {targets.map((target) => (
          <tr key={target.place}>
            <th scope="row">
              <div>
                {targetOf(target.place)}
                <div class="soft address">{target.address}</div>
              </div>
            </th>
            <td data-label={words.health}>
              <Health target={target} />
            </td>
            <td data-label={words.hooks.title}>
              <Numbers target={target} />
            </td>
          </tr>
        ))}
      </Listed>
    </Part>
  );
}

function Health({ target }: { target: Target }) {
  const words = relays();
  const { failing_since: since, last_answer: answer, state } = target;
  return (
    <div>
      <TargetBadge target={target} />
      {answer !== null && <div>{`${words.lastAnswer}: ${answerOf(answer)}, ${moment(answer.at)}`}</div>}
      {since !== null && <div class="soft">{words.failing(moment(since))}</div>}
      {since !== null && state?.next_probe_at !== undefined && <div class="soft">{words.probe(moment(state.next_probe_at))}</div>}
    </div>
  );
}

function Numbers({ target }: { target: Target }) {
  const words = relays();
  const { oldest_queued_at: oldest } = target;
  const others = [
    [words.delivered, target.delivered],
    [words.dead, target.dead],
    [words.dropped, target.dropped],
    [words.skipped, target.skipped],
  ] as const;
  return (
    <div>
      <div>{`${words.waiting}: ${number(target.waiting)}`}</div>
      {oldest !== null && <div class={isLate(target) ? 'late' : 'soft'}>{words.oldest(age(oldest))}</div>}
      {/* What almost never happens is told when it has. */}
      {others.map(([name, count], at) => (at < 2 || count > 0) && <div key={name}>{`${name}: ${number(count)}`}</div>)}
    </div>
  );
}
