import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { type Problem, ask, asProblem } from '../../../api/client';
import { me } from '../../../api/session';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { ProblemNote } from '../../../parts/problem';
import { people } from '../../../words/people';
import { shell } from '../../../words/shell';
import { tell } from '../told';
import type { User } from '../types';

/** Interface B: at most so many in one request. */
const MOST = 10;

interface Props {
  /** Who is chosen. */
  users: readonly User[];
  /** Chosen out of a list, or the one whose page it is. */
  listed: boolean;
  onDone?: () => void;
  reload: () => void;
  /** What else can be done with them. */
  others?: ComponentChildren;
}

/** Switches the chosen users on or off, or says why that cannot be. */
export function Switching({ users, listed, onDone, reload, others }: Props) {
  const words = people().users;
  const problem = useSignal<Problem | undefined>(undefined);
  const busy = useSignal(false);
  const asking = useSignal(false);
  const reason = useId();
  const why =
    me.value?.account?.plan !== 'enterprise'
      ? words.enterpriseOnly
      : users.some((user) => user.rights.is_admin)
        ? words.noSwitch
        : users.length > MOST
          ? words.tooMany(MOST)
          : undefined;
  const set = async (active: boolean): Promise<void> => {
    busy.value = true;
    problem.value = undefined;
    asking.value = false;
    try {
      const body = users.map((user) => ({ id: user.id }));
      await ask<void>(`/api/v4/users/${active ? 'activate' : 'deactivate'}`, { method: 'POST', body });
      tell(active ? words.activated(users.length) : words.deactivated(users.length));
      onDone?.();
    } catch (failure) {
      problem.value = asProblem(failure);
    }
    reload();
    busy.value = false;
  };
  const isOff = why !== undefined || users.length === 0;
  return (
    <>
      <div class={listed && users.length === 0 ? 'switching idle' : 'switching'}>
        {listed && <span>{words.chosen(users.length)}</span>}
        {others}
        {(listed || users.some((user) => !user.rights.is_active)) && (
          <Button aria-describedby={reason} disabled={isOff} busy={busy.value} onClick={() => void set(true)}>
            {words.activate}
          </Button>
        )}
        {(listed || users.some((user) => user.rights.is_active)) && (
          <Button aria-describedby={reason} disabled={isOff} busy={busy.value} onClick={() => (asking.value = true)}>
            {words.deactivate}
          </Button>
        )}
        <span class="soft" id={reason}>
          {why ?? (users.length === 0 ? words.chooseFirst : '')}
        </span>
      </div>
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      {asking.value && (
        <Dialog title={words.deactivateTitle(users.length)} onClose={() => (asking.value = false)}>
          <p>{users.map((user) => user.name).join(', ')}</p>
          <p>{words.deactivateText}</p>
          <div class="actions">
            <Button onClick={() => (asking.value = false)}>{shell().cancel}</Button>
            <Button look="danger" onClick={() => void set(false)}>
              {words.deactivate}
            </Button>
          </div>
        </Dialog>
      )}
    </>
  );
}
