import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useShortcuts } from '../../../keys';
import { inbox } from '../../../words/inbox';
import { team } from '../../../words/team';
import { CannedDialog } from '../canned/dialog';
import { TemplateDialog } from '../template/dialog';
import type { Notes } from '../thread/notes';
import type { Thread } from '../thread/store';
import { Draft, type DraftKind } from './draft';
import { Kinds } from './kinds';
import { NoteComposer } from './note';
import { ReplyComposer } from './reply';
import { ScheduledReplies } from './scheduled';
import { ScheduledList } from './scheduled-list';
import { SendLaterDialog } from './send-later';
import './composer.css';

/**
 * The place where an account user writes: to the customer, or to the team. Each has its own text area and its own draft, so
 * that no text of one kind becomes the other.
 */
export function Composer({ thread, notes }: { thread: Thread; notes: Notes }) {
  const kind = useSignal<DraftKind>('reply');
  const drafts = useMemo(() => ({ reply: new Draft(thread.id, 'reply'), note: new Draft(thread.id, 'note') }), [thread]);
  const areas = { reply: useRef<HTMLTextAreaElement>(null), note: useRef<HTMLTextAreaElement>(null) };
  const takesFocus = useRef(false);
  const isChoosing = useSignal(false);
  const isManaging = useSignal(false);
  const isScheduling = useSignal(false);
  const scheduled = useMemo(() => new ScheduledReplies(thread.id), [thread]);
  useEffect(() => () => scheduled.close(), [scheduled]);
  useEffect(
    () => () => {
      for (const draft of Object.values(drafts)) draft.close();
    },
    [drafts],
  );
  const write = (wanted: DraftKind): void => {
    takesFocus.current = kind.peek() !== wanted;
    kind.value = wanted;
    areas[wanted].current?.focus();
  };
  // What is hidden takes no focus: a text area that was just chosen gets it once it is shown.
  useLayoutEffect(() => {
    if (takesFocus.current) areas[kind.value].current?.focus();
    takesFocus.current = false;
  }, [kind.value]);
  const [onReply, onNote] = [inbox().compose.focus, team().note.focus];
  useShortcuts([
    { keys: 'KeyR', says: onReply, run: () => write('reply') },
    { keys: 'Enter', says: onReply, run: () => write('reply') },
    // N is the next unread conversation.
    { keys: 'KeyT', says: onNote, run: () => write('note') },
  ]);
  return (
    <div class={kind.value === 'note' ? 'compose for-team' : 'compose'}>
      <ScheduledList thread={thread} scheduled={scheduled} onEmpty={() => areas[kind.peek()].current?.focus()} />
      <Kinds kind={kind} drafts={drafts} />
      {/* Both stay, so that a reply is uploaded and a note is saved while the other one is written. */}
      <div hidden={kind.value !== 'reply'}>
        <ReplyComposer
          thread={thread}
          draft={drafts.reply}
          area={areas.reply}
          onTemplates={() => (isChoosing.value = true)}
          onManage={() => (isManaging.value = true)}
          onLater={() => (isScheduling.value = true)}
        />
      </div>
      <div hidden={kind.value !== 'note'}>
        <NoteComposer notes={notes} draft={drafts.note} area={areas.note} />
      </div>
      {/* Not within the form of the reply, which an Enter in the search would send. */}
      {isChoosing.value && <TemplateDialog thread={thread} onClose={() => (isChoosing.value = false)} />}
      {isManaging.value && <CannedDialog onClose={() => (isManaging.value = false)} />}
      {isScheduling.value && <SendLaterDialog thread={thread} draft={drafts.reply} scheduled={scheduled} onClose={() => (isScheduling.value = false)} />}
    </div>
  );
}
