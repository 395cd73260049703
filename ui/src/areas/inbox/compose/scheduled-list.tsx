import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Badge } from '../../../parts/badge';
import { Button } from '../../../parts/button';
import { Confirm } from '../../../parts/confirm';
import { Dialog } from '../../../parts/dialog';
import { Field } from '../../../parts/field';
import { ProblemNote } from '../../../parts/problem';
import { useWork } from '../../../parts/work';
import { team } from '../../../words/team';
import { exactTime } from '../thread/snooze';
import { inputValue } from '../thread/snooze-times';
import type { Thread } from '../thread/store';
import { authorOf } from '../types';
import { type ScheduledReplies, type ScheduledReply, mayChange, messageOf } from './scheduled';
import './scheduled.css';

interface Props {
  thread: Thread;
  scheduled: ScheduledReplies;
}

/** The scheduled replies of the conversation, above the place where replies are written. `onEmpty` takes the focus of the last one. */
export function ScheduledList({ thread, scheduled, onEmpty }: Props & { onEmpty: () => void }) {
  const words = team().scheduled;
  const region = useRef<HTMLElement>(null);
  const focus = (): void => {
    if (region.current === null) onEmpty();
    else region.current.focus();
  };
  const [all, held, problem] = [scheduled.all.value, scheduled.held.value, scheduled.problem.value];
  return (
    <>
      {problem !== undefined && <ProblemNote problem={problem} retry={() => void scheduled.open()} />}
      {all.length > 0 && (
        <section class="scheduled" aria-label={words.list} ref={region} tabIndex={-1}>
          <ul>
            {all.map((reply) => (
              <ScheduledItem key={reply.number} reply={reply} thread={thread} scheduled={scheduled} onGone={focus} />
            ))}
          </ul>
        </section>
      )}
      <p class="unseen" role="status">
        {held?.held == null ? '' : `${words.held} ${words.reasons[held.held.code]}`}
      </p>
    </>
  );
}

interface ItemProps extends Props {
  reply: ScheduledReply;
  /** The focus was within it, and it is about to go. */
  onGone: () => void;
}

/** One of them: what, who and when, and the ways to change that. */
function ScheduledItem({ reply, thread, scheduled, onGone }: ItemProps) {
  const words = team().scheduled;
  const item = useRef<HTMLLIElement>(null);
  const editing = useSignal(false);
  const cancelling = useSignal(false);
  const { content, held } = reply;
  const message = messageOf(reply);
  const text = [content?.file?.name, content?.text].filter(Boolean).join(' · ');
  // What had the focus is gone with the item: the list takes it.
  const takesFocus = useRef(false);
  useEffect(
    () => () => {
      // After the dialog, which gives the focus back to where it was.
      if (takesFocus.current) queueMicrotask(onGone);
    },
    [],
  );
  const leave = async (): Promise<void> => {
    takesFocus.current = true;
    try {
      await scheduled.delete(reply);
      cancelling.value = false;
    } catch (failure) {
      // The dialog stays, with the reason.
      takesFocus.current = false;
      throw failure;
    }
  };
  return (
    <li ref={item} class={held === null ? 'scheduled-reply' : 'scheduled-reply held'} data-scheduled={reply.number}>
      <p class="when">
        <Badge icon={held === null ? 'clock' : 'warning'}>
          <span>
            {held === null ? (
              <time dateTime={new Date(reply.send_at * 1000).toISOString()}>{words.at(exactTime(reply.send_at))}</time>
            ) : (
              words.held
            )}
          </span>
        </Badge>
        <bdi class="soft">{authorOf(reply.user)}</bdi>
      </p>
      <p class="text" dir="auto">
        {text}
      </p>
      <p class="soft">
        {held === null ? (reply.unless_customer_wrote ? words.unless : words.inAnyCase) : words.reasons[held.code]}
        {content?.template_id != null && <> {words.template}</>}
      </p>
      {mayChange(reply) && (
        <p class="ways">
          {held !== null && message !== undefined && (
            <Button icon="send" aria-label={words.sendNowLabel(text)} onClick={() => void thread.write(message)}>
              {words.sendNow}
            </Button>
          )}
          <Button look="quiet" aria-haspopup="dialog" aria-label={words.editLabel(text)} onClick={() => (editing.value = true)}>
            {words.edit}
          </Button>
          <Button look="quiet" aria-haspopup="dialog" aria-label={held === null ? words.cancelLabel(text) : words.discardLabel(text)} onClick={() => (cancelling.value = true)}>
            {held === null ? words.cancel : words.discard}
          </Button>
        </p>
      )}
      {editing.value && <EditDialog reply={reply} thread={thread} scheduled={scheduled} onClose={() => (editing.value = false)} />}
      {cancelling.value && (
        <Confirm
          title={words.confirm.title}
          text={words.confirm.text}
          action={words.confirm.action}
          icon="trash"
          onConfirm={leave}
          onClose={() => (cancelling.value = false)}
        />
      )}
    </li>
  );
}

/** Asks for another text, another time and the rule. A refused change stays here, with the reason. */
function EditDialog({ reply, thread, scheduled, onClose }: Props & { reply: ScheduledReply; onClose: () => void }) {
  const words = team().scheduled;
  const { busy, problem, run } = useWork();
  const unless = useSignal(reply.unless_customer_wrote);
  const text = useSignal(reply.content?.text ?? '');
  const time = inputValue(new Date(reply.send_at * 1000));
  const at = useSignal(time);
  const hasText = reply.content?.template_id == null;
  const needsText = reply.content?.type === 'text';
  const save = (): Promise<void> =>
    run(async () => {
      const isOther = at.value !== time || reply.held !== null;
      await scheduled.update(reply, {
        ...(hasText && text.value !== reply.content?.text ? { text: text.value.trim() } : {}),
        ...(isOther ? { send_at: Math.floor(new Date(at.value).getTime() / 1000) } : {}),
        unless_customer_wrote: unless.value,
        seen: thread.seen,
      });
      onClose();
    });
  return (
    <Dialog title={words.editTitle} onClose={onClose}>
      <form
        class="stacked"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        {hasText && (
          <Field label={words.text}>
            {(input) => (
              <textarea
                {...input}
                dir="auto"
                rows={Math.min(8, Math.max(2, text.value.split('\n').length))}
                required={needsText}
                value={text.value}
                onInput={(event) => (text.value = event.currentTarget.value)}
              />
            )}
          </Field>
        )}
        <Field label={words.other}>
          {(input) => (
            <input {...input} type="datetime-local" required value={at.value} onInput={(event) => (at.value = event.currentTarget.value)} />
          )}
        </Field>
        <label class="snooze-wakes">
          <input type="checkbox" checked={unless.value} onChange={(event) => (unless.value = event.currentTarget.checked)} />
          {words.wakes}
        </label>
        {problem !== undefined && <ProblemNote problem={problem} />}
        <div class="actions">
          <Button type="submit" look="primary" icon="check" busy={busy}>
            {words.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
