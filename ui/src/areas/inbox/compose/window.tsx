import { type Signal, useComputed, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { templates } from '../../../words/templates';
import { exactTime } from '../thread/snooze';
import type { Thread } from '../thread/store';

/** The longest time that a timer takes, in milliseconds. */
const LONGEST = 0x7fff_ffff;

/** Whether the time window of a conversation is closed: by the clock here, or because the service said so of a message. */
export function useIsClosed(thread: Thread): Signal<boolean> {
  const now = useSignal(Date.now());
  const closesAt = thread.conversation.value?.window_closes_at ?? null;
  useEffect(() => {
    now.value = Date.now();
    const wait = (closesAt ?? 0) * 1000 - Date.now();
    if (wait <= 0) return undefined;
    const timer = setTimeout(() => (now.value = Date.now()), Math.min(wait, LONGEST));
    return () => clearTimeout(timer);
  }, [closesAt, now.value]);
  return useComputed(() => {
    const closes = thread.conversation.value?.window_closes_at ?? null;
    if (closes === null) return false;
    return closes * 1000 <= now.value || thread.pending.value.some(({ problem }) => problem?.parts.window_closed_at === closes);
  });
}

/** Says until when users write more than templates, or that they do not now. */
export function WindowNote({ thread, isClosed }: { thread: Thread; isClosed: boolean }) {
  const closesAt = thread.conversation.value?.window_closes_at ?? null;
  if (closesAt === null) return null;
  const words = templates().window;
  return (
    <p class={isClosed ? undefined : 'soft'} role="status">
      {!isClosed ? words.open(exactTime(closesAt)) : closesAt === 0 ? words.never : words.closed(exactTime(closesAt))}
    </p>
  );
}
