import { useRef } from 'preact/hooks';
import { asProblem } from '../../../api/client';
import { Dialog } from '../../../parts/dialog';
import { ProblemNote } from '../../../parts/problem';
import { useWork } from '../../../parts/work';
import { team } from '../../../words/team';
import { SnoozeForm } from '../thread/snooze';
import type { Thread } from '../thread/store';
import type { Draft } from './draft';
import type { ScheduledReplies } from './scheduled';

interface Props {
  thread: Thread;
  draft: Draft;
  scheduled: ScheduledReplies;
  onClose: () => void;
}

/** Asks when the reply in the composer is to be sent. A refused one stays in the composer, with the reason here. */
export function SendLaterDialog({ thread, draft, scheduled, onClose }: Props) {
  const words = team().scheduled;
  const { busy, problem, run } = useWork();
  /** The newest attempt that has no answer: the next one with its body and key is the same scheduled reply. */
  const attempt = useRef({ body: '', key: '' });
  const schedule = (send_at: number, unless_customer_wrote: boolean): Promise<void> =>
    run(async () => {
      const [text, file] = [draft.text.peek(), draft.file.peek()];
      const said = text.trim();
      // First the draft: the service deletes it with the new scheduled reply.
      const number = await draft.settle();
      // Another page has written another version: its writer chooses first.
      if (draft.other.peek() !== undefined) return onClose();
      const content = file === undefined ? { type: 'text', text: said } : { type: file.type, media_id: file.id, text: said || undefined };
      const body = { ...content, send_at, unless_customer_wrote, seen: thread.seen, draft: number };
      const written = JSON.stringify(body);
      if (attempt.current.body !== written) attempt.current = { body: written, key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` };
      try {
        await scheduled.create(body, attempt.current.key);
      } catch (failure) {
        const { status } = asProblem(failure);
        // A refusal is an answer: only without one the service may have it.
        if (status >= 400 && status < 500) attempt.current = { body: '', key: '' };
        throw failure;
      }
      draft.became(text, number);
      onClose();
    });
  return (
    <Dialog title={words.title} onClose={onClose}>
      <SnoozeForm busy={busy} words={words} onChoose={(sendAt, unless) => void schedule(sendAt, unless)} />
      {problem !== undefined && <ProblemNote problem={problem} />}
    </Dialog>
  );
}
