import { useSignal } from '@preact/signals';
import { askAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Choices } from '../../parts/choices';
import { ProblemNote } from '../../parts/problem';
import { typed } from '../../parts/typed';
import { useWork } from '../../parts/work';
import { day, exactClock } from '../../words/language';
import { worlds } from '../../words/worlds';
import { Fact, Facts, Part } from '../operator/facts';
import './clock.css';
import { MODES, type Mode, type World } from './types';

/** Units of time, in seconds. */
const UNITS = { seconds: 1, minutes: 60, hours: 3_600, days: 86_400 };
type Unit = keyof typeof UNITS;
/** What is often wanted. */
const STEPS: readonly [number, Unit][] = [
  [1, 'minutes'],
  [15, 'minutes'],
  [1, 'hours'],
  [1, 'days'],
];
/** The most that passes at once, in seconds: thirty days. */
const MOST = 30 * UNITS.days;

interface Props {
  clock: World['clock'];
  /** That of the world. */
  path: string;
  onChange: () => void;
}

/** The time of a world: what it is, how it passes, and how to let some of it pass. */
export function Clock({ clock, path, onChange }: Props) {
  const words = worlds().clock;
  const task = useWork();
  const post = (what: string, body: object): Promise<void> =>
    task.run(async () => {
      await askAsOperator<World['clock']>(`${path}/${what}`, { method: 'POST', body });
      onChange();
    });
  const advance = (seconds: number): void => void post('advance', { seconds });
  const now = clock.now_ms / 1000;
  return (
    <Part title={words.title}>
      <Facts>
        <Fact name={words.now} copy={clock.now}>
          <time dateTime={clock.now}>
            {day(now)}, {exactClock(now)}
          </time>
        </Fact>
        <Fact name={words.mode}>
          <Choices<Mode>
            label={words.mode}
            value={clock.mode}
            options={MODES.map((value) => ({ value, says: words.modes[value] }))}
            onChoose={(mode) => void post('clock', { mode })}
          />
        </Fact>
      </Facts>
      <p class="soft">{words.explained[clock.mode]}</p>
      <div class="advance" role="group" aria-label={words.advance}>
        <span>{words.advance}</span>
        {STEPS.map(([count, unit]) => (
          <Button key={unit + count} busy={task.busy} onClick={() => advance(count * UNITS[unit])}>
            {words.units[unit](count)}
          </Button>
        ))}
        <Own isBusy={task.busy} onAdvance={advance} />
      </div>
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
    </Part>
  );
}

/** Any other amount. */
function Own({ isBusy, onAdvance }: { isBusy: boolean; onAdvance: (seconds: number) => void }) {
  const words = worlds().clock;
  const count = useSignal('30');
  const unit = useSignal<Unit>('seconds');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onAdvance(Number(count.value) * UNITS[unit.value]);
      }}
    >
      <input
        type="number"
        aria-label={words.amount}
        min="0.001"
        max={MOST / UNITS[unit.value]}
        step="any"
        required
        {...typed(count)}
      />
      <select aria-label={words.unit} value={unit.value} onChange={(event) => (unit.value = event.currentTarget.value as Unit)}>
        {(Object.keys(UNITS) as Unit[]).map((name) => (
          <option key={name} value={name}>
            {words.names[name]}
          </option>
        ))}
      </select>
      <Button type="submit" icon="clock" busy={isBusy}>
        {words.submit}
      </Button>
    </form>
  );
}
