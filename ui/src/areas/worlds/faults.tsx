import { askAsOperator } from '../../api/operator';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { worlds } from '../../words/worlds';
import './faults.css';
import type { Fault } from './types';

/** How many faults are named: a world may have a hundred. */
const NAMED = 8;

interface Props {
  faults: readonly Fault[];
  /** That of the world. */
  path: string;
  onChange: () => void;
}

/** What goes wrong in a world on order, as long as it does: whoever looks at it must not search for another cause. */
export function Faults({ faults, path, onChange }: Props) {
  const words = worlds().faults;
  const task = useWork();
  const end = (): Promise<void> =>
    task.run(async () => {
      await askAsOperator<void>(`${path}/faults`, { method: 'DELETE' });
      onChange();
    });
  return (
    <section class="note warn faults" aria-label={words.title}>
      <div role="status">
        <Badge tone="warn" icon="warning">
          <strong>{words.title}</strong>
        </Badge>
        <ul>
          {faults.slice(0, NAMED).map((fault) => (
            <li key={fault.id}>{said(fault)}</li>
          ))}
        </ul>
        {faults.length > NAMED && <p>{words.more(faults.length - NAMED)}</p>}
      </div>
      <Button icon="close" busy={task.busy} onClick={() => void end()}>
        {words.end}
      </Button>
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
    </section>
  );
}

/** «callbacks: drop, 2 left». */
function said({ on, do: what, match, left }: Fault): string {
  const words = worlds().faults;
  const places: Record<string, string> = words.on;
  const lasting = left === null ? words.lasting : words.left(left);
  const narrowed = match === null ? '' : `, ${words.match(match)}`;
  return `${places[on] ?? on}: ${what}, ${lasting}${narrowed}`;
}
