import { health } from '../../words/health';
import { bytes, number } from '../../words/language';
import { lasting } from '../../words/shell';
import { type Metrics, sum } from './metrics';

/** The four numbers that say how the service is; what needs somebody is marked. */
export function Figures({ metrics }: { metrics: Metrics }) {
  const words = health();
  const oldest = sum(metrics, 'dispatch_oldest_age_seconds');
  const [free, size] = [sum(metrics, 'disk_free_bytes'), sum(metrics, 'disk_size_bytes')];
  const figures = [
    { name: words.callbacks.queued, value: number(sum(metrics, 'dispatch_queued')), isBad: false },
    { name: words.callbacks.oldest, value: oldest === 0 ? '—' : lasting(oldest), isBad: oldest > LATE },
    { name: words.callbacks.dead, value: number(sum(metrics, 'dispatch_dead_total')), isBad: sum(metrics, 'dispatch_dead_total') > 0 },
    // Not every system tells it.
    { name: words.data.free, value: size === 0 ? '—' : bytes(free), isBad: size > 0 && free < size / SCARCE },
  ];
  return (
    <dl class="figures">
      {figures.map(({ name, value, isBad }) => (
        <div key={name} class={isBad ? 'card bad' : 'card'}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A callback that waits for longer than this waits for somebody, in seconds. */
const LATE = 300;
/** With less than this part of the disk free it is soon full. */
const SCARCE = 20;
