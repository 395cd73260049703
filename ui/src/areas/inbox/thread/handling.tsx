import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { learnResponsible, useBook, userName } from '../../../api/book';
import { Problem, ask } from '../../../api/client';
import { groupName, useGroups } from '../../../api/groups';
import { Badge } from '../../../parts/badge';
import { Button } from '../../../parts/button';
import { Icon } from '../../../parts/icon';
import { Initials } from '../../../parts/initials';
import { ProblemNote } from '../../../parts/problem';
import { useWork } from '../../../parts/work';
import { team } from '../../../words/team';
import { CONVERSATIONS } from '../list/question';
import { find, reread } from '../list/store';
import type { Conversation } from '../types';
import './handling.css';
import { ResponsibleDialog } from './responsible';
import { exactTime, SnoozeDialog } from './snooze';

/** Closes the talk of a conversation. */
async function closeTalk(id: string): Promise<void> {
  try {
    await ask<void>(`${CONVERSATIONS}/${id}/close`, { method: 'POST' });
  } catch (failure) {
    if (!(failure instanceof Problem) || failure.status !== 409) throw failure;
    await reread(id);
    // A colleague closed it first.
    if (find(id)?.status !== 'closed') throw failure;
  }
}

/** The responsible user, the status and the snooze of a conversation with a lead, and the ways to change them. */
export function Handling({ conversation }: { conversation: Conversation }) {
  useBook();
  const words = team().responsible;
  const snoozeWords = team().snooze;
  const { id, lead, status, snooze, group_id: group } = conversation;
  useGroups(group !== null);
  const responsible = lead?.responsible_user_id ?? null;
  const isOpen = useSignal(false);
  const isSnoozing = useSignal(false);
  const place = useRef<HTMLDivElement>(null);
  const { busy, problem, run } = useWork();
  useEffect(() => learnResponsible(id, responsible), [id, responsible]);
  const name = userName(responsible);
  const owners = group === null ? words.label(name) : `${words.label(name)}. ${team().group.now(groupName(group))}`;
  const close = (): Promise<void> =>
    run(async () => {
      await closeTalk(id);
      // The button goes: the focus stays in the head.
      const focused = document.activeElement;
      if (focused === document.body || place.current?.contains(focused) === true) place.current?.querySelector('button')?.focus();
      await reread(id);
    });
  const wake = (): Promise<void> =>
    run(async () => {
      await ask<void>(`${CONVERSATIONS}/${id}/snooze`, { method: 'DELETE' });
      await reread(id);
    });
  return (
    <div class="handling ways" ref={place}>
      <Button look="quiet" aria-haspopup="dialog" aria-label={owners} onClick={() => (isOpen.value = true)}>
        {responsible === null ? <Icon name="contacts" /> : <Initials name={name} />} <bdi>{name}</bdi> {group !== null && <bdi class="soft">{groupName(group)}</bdi>}
      </Button>
      <span class={`status ${status}`} role="status">
        {status === 'closed' && <Badge icon="check">{words.closed}</Badge>}
        {snooze !== null && (
          <Badge icon="clock">
            <span>
              <time dateTime={new Date(snooze.until * 1000).toISOString()}>{snoozeWords.until(exactTime(snooze.until))}</time>
              {snooze.wake_on_message && <> {snoozeWords.orMessage}</>}
            </span>
          </Badge>
        )}
      </span>
      {/* One button, so that the focus stays in the head when it is used. */}
      {status !== 'closed' && (
        <Button
          key="snooze"
          aria-haspopup={snooze === null ? 'dialog' : undefined}
          aria-label={snooze === null ? snoozeWords.title : undefined}
          busy={busy}
          onClick={() => {
            if (snooze === null) isSnoozing.value = true;
            else void wake();
          }}
        >
          {snooze === null ? snoozeWords.action : snoozeWords.wake}
        </Button>
      )}
      {status !== 'closed' && (
        <Button aria-label={words.closeLabel} busy={busy} onClick={() => void close()}>
          {words.close}
        </Button>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
      {isSnoozing.value && <SnoozeDialog id={id} onClose={() => (isSnoozing.value = false)} />}
      {isOpen.value && <ResponsibleDialog conversation={conversation} onClose={() => (isOpen.value = false)} />}
    </div>
  );
}
