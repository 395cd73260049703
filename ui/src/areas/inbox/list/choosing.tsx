import { effect, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { candidates, useBook, userName } from '../../../api/book';
import { useGroups } from '../../../api/groups';
import { me } from '../../../api/session';
import { useShortcuts } from '../../../keys';
import { on } from '../../../live/events';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { Field } from '../../../parts/field';
import { ProblemNote } from '../../../parts/problem';
import { useWork } from '../../../parts/work';
import { place } from '../../../router';
import { team } from '../../../words/team';
import { GroupChoice } from '../thread/group';
import { SnoozeForm } from '../thread/snooze';
import { nameOf } from '../types';
import './choosing.css';
import { chosen, toggle } from './chosen';
import { type Change, change, MOST, report, undo } from './several';
import { around, find, refresh, rows } from './store';

/** The conversation that is open, if one is. */
function opened(): string | undefined {
  return /^\/conversations\/([^/]+)$/.exec(place.peek().path)?.[1];
}

/** Begins to choose, with the conversation that is open. */
function begin(): void {
  const id = opened();
  chosen.value = new Set(id === undefined ? [] : [id]);
}

effect(() => {
  const among = chosen.value;
  around.value =
    among &&
    ((conversation, row) => (
      <div class="choosable">
        <label>
          <input type="checkbox" aria-label={team().choosing.choose(nameOf(conversation))} checked={among.has(conversation.id)} onChange={() => toggle(conversation.id)} />
        </label>
        {row}
      </div>
    ));
});

// A snooze that is due brings its conversation to the top of the list. The status of others is read anew.
on<{ conversation_id: string; ended_by: string | null }>('snooze', ({ conversation_id: id, ended_by }) => {
  const isDue = ended_by === 'due';
  if (isDue || find(id) !== undefined) refresh(id, isDue);
});

// The group is in no other event.
on<{ conversation_id: string }>('group', ({ conversation_id: id }) => {
  if (find(id) !== undefined) refresh(id);
});

/** The ways to choose conversations, to change them at once, and to undo that. */
export function Choosing() {
  const words = team().choosing;
  const now = chosen.value;
  useShortcuts([
    {
      keys: 'KeyX',
      says: words.start,
      run: () => {
        const id = opened();
        if (chosen.peek() === undefined) begin();
        else if (id !== undefined) toggle(id);
      },
    },
  ]);
  return (
    <>
      <Button look="quiet" icon="checks" label={words.start} aria-pressed={now !== undefined} onClick={() => (now === undefined ? begin() : (chosen.value = undefined))} />
      {now !== undefined && <Changes count={now.size} />}
      {report.value !== undefined && <Outcome key={report.value.undo ?? ''} />}
    </>
  );
}

/** The number of chosen conversations, and what can be done with them. */
function Changes({ count }: { count: number }) {
  const words = team().choosing;
  const asks = useSignal<'assign' | 'snooze' | undefined>(undefined);
  const { busy, problem, run } = useWork();
  const make = (wanted: Change): Promise<void> =>
    run(async () => {
      await change(wanted);
      asks.value = undefined;
    });
  const isEmpty = count === 0 || count > MOST;
  const close = (): void => {
    asks.value = undefined;
  };
  const all = rows.value.slice(0, MOST);
  return (
    <div
      class="choosing ways"
      role="group"
      aria-label={words.start}
      onKeyDown={(event) => {
        if (event.code === 'Escape' && asks.peek() === undefined) chosen.value = undefined;
      }}
    >
      <span class="count-chosen" role="status">
        {words.count(count)}
      </span>
      <Button onClick={() => (chosen.value = new Set(all.map((row) => row.id)))}>{words.all(all.length)}</Button>
      <Button disabled={isEmpty} busy={busy} onClick={() => void make({ action: 'close' })}>
        {team().responsible.close}
      </Button>
      <Button disabled={isEmpty} aria-haspopup="dialog" onClick={() => (asks.value = 'assign')}>
        {team().responsible.assign}
      </Button>
      <Button disabled={isEmpty} aria-haspopup="dialog" onClick={() => (asks.value = 'snooze')}>
        {team().snooze.action}
      </Button>
      <Button look="quiet" onClick={() => (chosen.value = undefined)}>
        {words.leave}
      </Button>
      {problem !== undefined && asks.value === undefined && <ProblemNote problem={problem} />}
      {asks.value === 'assign' && (
        <Dialog title={words.assign(count)} onClose={close}>
          <Assign busy={busy} onChoose={(user_id) => void make({ action: 'assign', user_id })} />
          <AssignGroup busy={busy} onChoose={(group_id) => void make({ action: 'assign', group_id })} />
          {problem !== undefined && <ProblemNote problem={problem} />}
        </Dialog>
      )}
      {asks.value === 'snooze' && (
        <Dialog title={words.snooze(count)} onClose={close}>
          <SnoozeForm busy={busy} onChoose={(until, wake_on_message) => void make({ action: 'snooze', until, wake_on_message })} />
          {problem !== undefined && <ProblemNote problem={problem} />}
        </Dialog>
      )}
    </div>
  );
}

/** Asks who is to be responsible. */
function Assign({ busy, onChoose }: { busy: boolean; onChoose: (user: number | null) => void }) {
  useBook();
  const words = team().responsible;
  const own = me.value?.user.id;
  const users = [...(own === undefined ? [] : [own]), ...candidates().filter((user) => user !== own)];
  return (
    <form
      class="stacked"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) onChoose(Number(new FormData(event.currentTarget).get('user')));
      }}
    >
      <Field label={words.title}>
        {(input) => (
          <select {...input} name="user" class="responsible-choice">
            {users.map((user) => (
              <option key={user} value={user}>
                {userName(user)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <div class="actions">
        <Button busy={busy} onClick={() => onChoose(null)}>
          {words.giveBack}
        </Button>
        <Button type="submit" look="primary" busy={busy}>
          {words.assign}
        </Button>
      </div>
    </form>
  );
}

/** Asks which group they are assigned to. */
function AssignGroup({ busy, onChoose }: { busy: boolean; onChoose: (group: number | null) => void }) {
  useGroups(true);
  const words = team().group;
  return <GroupChoice label={words.label} chosen={null} busy={busy} action={words.assign} onChoose={onChoose} />;
}

/** The outcome of a change: the number of changed conversations, the others with the reason, and the undo. */
function Outcome() {
  const words = team().choosing;
  const bar = useRef<HTMLDivElement>(null);
  const { busy, problem, run } = useWork();
  // What was pressed is gone.
  useEffect(() => bar.current?.querySelector('button')?.focus(), []);
  const shown = report.value;
  if (shown === undefined) return null;
  const { isUndo, changed, failed, undo: name } = shown;
  return (
    <div class="outcome" ref={bar}>
      <div class="ways">
        <span role="status">{isUndo ? words.undone(changed) : words.changed(changed)}</span>
        {name !== null && (
          <Button busy={busy} onClick={() => void run(undo)}>
            {words.undo}
          </Button>
        )}
        <Button look="quiet" icon="close" label={words.dismiss} onClick={() => (report.value = undefined)} />
      </div>
      {failed.length > 0 && (
        <div role="alert">
          <p>{words.failed(failed.length)}</p>
          <ul>
            {failed.map((it) => (
              <li key={it.id}>
                <bdi>{it.name}</bdi>: {it.detail}
              </li>
            ))}
          </ul>
        </div>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
    </div>
  );
}
