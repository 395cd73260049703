import { useSignal } from '@preact/signals';
import { type Problem, ask, asProblem } from '../../../api/client';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { ProblemNote } from '../../../parts/problem';
import { people } from '../../../words/people';
import { shell } from '../../../words/shell';
import type { Role, User } from '../types';
import { named } from './changes';

interface Props {
  role: Role;
  users: readonly User[];
  onClose: () => void;
  onDone: () => void;
}

export function DeleteRole({ role, users, onClose, onDone }: Props) {
  const words = people().roles;
  const problem = useSignal<Problem | undefined>(undefined);
  const busy = useSignal(false);
  const holders = role._embedded?.users ?? [];
  const remove = async (): Promise<void> => {
    busy.value = true;
    try {
      await ask<void>(`/api/v4/roles/${role.id}`, { method: 'DELETE' });
      onDone();
    } catch (failure) {
      problem.value = asProblem(failure);
      busy.value = false;
    }
  };
  return (
    <Dialog title={words.deleteTitle(role.name)} onClose={onClose}>
      <p>{holders.length === 0 ? words.deleteNobody : words.deleteText(named(holders, users))}</p>
      {problem.value !== undefined && <ProblemNote problem={problem.value} />}
      <div class="actions">
        <Button onClick={onClose}>{shell().cancel}</Button>
        <Button look="danger" icon="trash" busy={busy.value} onClick={() => void remove()}>
          {words.delete}
        </Button>
      </div>
    </Dialog>
  );
}
