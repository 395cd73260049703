import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { candidates, learnResponsible, userName } from '../../../api/book';
import { useGroups } from '../../../api/groups';
import { Problem, ask } from '../../../api/client';
import { me } from '../../../api/session';
import { withPresence } from '../../../live/presence';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { Field } from '../../../parts/field';
import { ProblemNote } from '../../../parts/problem';
import { useWork } from '../../../parts/work';
import { team } from '../../../words/team';
import { CONVERSATIONS } from '../list/question';
import { put, reread } from '../list/store';
import type { Conversation } from '../types';
import { GroupForm } from './group';
import { Notice } from './notice';

/** A user, or null for no user. */
type Responsible = number | null;

/** The present responsible user in a refusal because of another user's change; undefined in others. */
function responsibleIn(failure: unknown): Responsible | undefined {
  if (!(failure instanceof Problem) || failure.status !== 409) return undefined;
  const { responsible_user_id: present } = failure.parts;
  return present === null || typeof present === 'number' ? present : undefined;
}

interface Props {
  conversation: Conversation;
  onClose: () => void;
}

/** Asks who is to be responsible. Another user's change that was not seen here is never overwritten unasked. */
export function ResponsibleDialog({ conversation, onClose }: Props) {
  const { id, lead } = conversation;
  useGroups(true);
  const words = team().responsible;
  /** The responsible user whom this dialog shows: what comes by the feed meanwhile does not change it. */
  const seen = useSignal<Responsible>(lead?.responsible_user_id ?? null);
  /** The responsible user who was chosen while another user chose one. */
  const overtaken = useSignal<Responsible | undefined>(undefined);
  const { busy, problem, run } = useWork();
  const assign = (user: Responsible): Promise<void> =>
    run(async () => {
      try {
        const body = { user_id: user, replaces: seen.peek() };
        put(await ask<Conversation>(`${CONVERSATIONS}/${id}/responsible`, { method: 'PATCH', body }), false);
        onClose();
      } catch (failure) {
        const present = responsibleIn(failure);
        if (present === undefined) throw failure;
        learnResponsible(id, present);
        void reread(id);
        if (present === user) onClose();
        [seen.value, overtaken.value] = [present, user];
      }
    });
  return (
    <Dialog title={words.title} onClose={onClose}>
      {overtaken.value === undefined ? (
        <>
          <Choose seen={seen.value} busy={busy} onChoose={(user) => void assign(user)} />
          <GroupForm conversation={conversation} onDone={onClose} />
        </>
      ) : (
        <Overtaken seen={seen.value} wanted={overtaken.value} busy={busy} onChoose={(user) => void assign(user)} onLeave={onClose} />
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
    </Dialog>
  );
}

interface Ways {
  seen: Responsible;
  busy: boolean;
  onChoose: (user: Responsible) => void;
}

function Choose({ seen, busy, onChoose }: Ways) {
  const words = team().responsible;
  const own = me.value?.user.id ?? null;
  const others = candidates().filter((user) => user !== own && user !== seen);
  return (
    <>
      <p class="responsible-now">{words.now(userName(seen))}</p>
      <p class="ways">
        {seen !== own && (
          <Button look="primary" busy={busy} onClick={() => onChoose(own)}>
            {words.takeOver}
          </Button>
        )}
        {seen !== null && (
          <Button busy={busy} onClick={() => onChoose(null)}>
            {words.giveBack}
          </Button>
        )}
      </p>
      {others.length > 0 && (
        <form
          class="stacked"
          onSubmit={(event) => {
            event.preventDefault();
            if (!busy) onChoose(Number(new FormData(event.currentTarget).get('user')));
          }}
        >
          <Field label={words.another}>
            {(input) => (
              <select {...input} name="user" class="responsible-choice">
                {others.map((user) => (
                  <option key={user} value={user}>
                    {withPresence(user, userName(user))}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <div class="actions">
            <Button type="submit" busy={busy}>
              {words.assign}
            </Button>
          </div>
        </form>
      )}
    </>
  );
}

/** Another user was faster: who is responsible now, and both ways out. */
function Overtaken({ seen, wanted, busy, onChoose, onLeave }: Ways & { wanted: Responsible; onLeave: () => void }) {
  const words = team().responsible;
  const leave = useRef<HTMLSpanElement>(null);
  // What had the focus is gone.
  useEffect(() => leave.current?.querySelector('button')?.focus(), []);
  return (
    <Notice name="responsible-overtaken" title={words.overtaken(userName(seen))}>
      <Button busy={busy} onClick={() => onChoose(wanted)}>
        {wanted === null ? words.giveBackAnyway : words.assignAnyway(userName(wanted))}
      </Button>
      <span ref={leave}>
        <Button onClick={onLeave}>{words.leave}</Button>
      </span>
    </Notice>
  );
}
