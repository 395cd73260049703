import { useSignal } from '@preact/signals';
import { groupName, groups } from '../../../api/groups';
import { Problem, ask } from '../../../api/client';
import { Button } from '../../../parts/button';
import { Field } from '../../../parts/field';
import { ProblemNote } from '../../../parts/problem';
import { useWork } from '../../../parts/work';
import { team } from '../../../words/team';
import { CONVERSATIONS } from '../list/question';
import { put, reread } from '../list/store';
import type { Conversation } from '../types';

/** The present group in a refusal because of another user's change; undefined in others. */
function groupIn(failure: unknown): number | null | undefined {
  if (!(failure instanceof Problem) || failure.status !== 409) return undefined;
  const { group_id: present } = failure.parts;
  return present === null || typeof present === 'number' ? present : undefined;
}

interface ChoiceProps {
  label: string;
  chosen: number | null;
  busy: boolean;
  action: string;
  onChoose: (group: number | null) => void;
}

/** The choice of a group, or of none. */
export function GroupChoice({ label, chosen, busy, action, onChoose }: ChoiceProps) {
  return (
    <form
      class="stacked"
      onSubmit={(event) => {
        event.preventDefault();
        const group = Number(new FormData(event.currentTarget).get('group'));
        if (!busy) onChoose(group === 0 ? null : group);
      }}
    >
      <Field label={label}>
        {(input) => (
          <select {...input} name="group" class="responsible-choice">
            <option value={0}>{groupName(null)}</option>
            {(groups.value ?? []).map((group) => (
              <option key={group.id} value={group.id} selected={group.id === chosen}>
                {group.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div class="actions">
        <Button type="submit" busy={busy}>
          {action}
        </Button>
      </div>
    </form>
  );
}

/** Asks which group a conversation is assigned to. Another user's change that was not seen here is never overwritten unasked. */
export function GroupForm({ conversation: { id, group_id }, onDone }: { conversation: Conversation; onDone: () => void }) {
  const words = team().group;
  const seen = useSignal(group_id);
  const isOvertaken = useSignal(false);
  const { busy, problem, run } = useWork();
  const assign = (group: number | null): Promise<void> =>
    run(async () => {
      try {
        const body = { group_id: group, replaces_group: seen.peek() };
        put(await ask<Conversation>(`${CONVERSATIONS}/${id}/responsible`, { method: 'PATCH', body }), false);
        onDone();
      } catch (failure) {
        const present = groupIn(failure);
        if (present === undefined) throw failure;
        void reread(id);
        if (present === group) onDone();
        [seen.value, isOvertaken.value] = [present, true];
      }
    });
  return (
    <>
      {isOvertaken.value && <p role="alert">{words.overtaken(groupName(seen.value))}</p>}
      <GroupChoice key={seen.value} label={words.label} chosen={seen.value} busy={busy} action={words.assign} onChoose={(group) => void assign(group)} />
      {problem !== undefined && <ProblemNote problem={problem} />}
    </>
  );
}
