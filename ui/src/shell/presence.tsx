import type { Presence } from '../api/book';
import { changeMe, me } from '../api/session';
import { ProblemNote } from '../parts/problem';
import { useWork } from '../parts/work';
import { presence } from '../words/presence';

const CHOICES: readonly Presence[] = ['here', 'away', 'away_give_back'];

/** Whether conversations are assigned to whoever is signed in: one choice for all devices. */
export function PresenceChoice() {
  const words = presence();
  const { busy, problem, run } = useWork();
  return (
    <>
      <label>
        {words.label}
        <select
          name="presence"
          value={me.value?.presence ?? 'here'}
          aria-busy={busy}
          onChange={(event) => {
            const choice = event.currentTarget.value as Presence;
            void run(() => changeMe({ presence: choice }));
          }}
        >
          {CHOICES.map((choice) => (
            <option key={choice} value={choice}>
              {words.choices[choice]}
            </option>
          ))}
        </select>
      </label>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </>
  );
}
