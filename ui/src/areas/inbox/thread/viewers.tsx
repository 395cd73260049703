import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ask } from '../../../api/client';
import { me } from '../../../api/session';
import { on } from '../../../live/events';
import { team } from '../../../words/team';
import { find } from '../list/store';
import type { Viewer } from '../types';
import './viewers.css';

/** How often the page says that the conversation is open, in milliseconds. */
const SIGN = 6_000;
/** How long the service counts a sign, in milliseconds. */
const COUNTED = 15_000;

/** A sign of a colleague that came by the feed, and when it ends by the clock of this page, which may differ from the service's. */
interface Sign extends Viewer {
  end: number;
}

/** The signs by conversation. */
const signs = signal<ReadonlyMap<string, readonly Sign[]>>(new Map());
/** The time, as far as signs depend on it, in milliseconds. */
const now = signal(Date.now());

on<{ conversation_id: string; user: Viewer }>('viewing', ({ conversation_id: id, user }) => {
  const others = (signs.peek().get(id) ?? []).filter((sign) => sign.id !== user.id && sign.end > Date.now());
  const current = [...signs.peek()].filter(([, all]) => all.some((sign) => sign.end > Date.now()));
  signs.value = new Map(current).set(id, [...others, { ...user, end: Date.now() + COUNTED }]);
});

/** Tells colleagues that the conversation is open here while it can be seen; gives the function that ends it. */
export function showViewing(id: string): () => void {
  const sign = (): void => {
    now.value = Date.now();
    if (document.hidden) return;
    // Nothing depends on it.
    ask<void>(`/inbox/v1/conversations/${id}/viewing`, { method: 'POST' }).catch(() => {});
  };
  sign();
  const timer = setInterval(sign, SIGN);
  document.addEventListener('visibilitychange', sign);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', sign);
  };
}

/** The colleagues who have a conversation open, each once. */
function viewersOf(id: string): readonly Viewer[] {
  // An end far in the future is of another clock: that sign may be over.
  const isCurrent = (end: number): boolean => end > now.value && end < now.value + 2 * COUNTED;
  const listed = (find(id)?.viewers ?? []).filter((viewer) => isCurrent(viewer.until * 1000));
  const signed = (signs.value.get(id) ?? []).filter((sign) => sign.end > now.value);
  const all = new Map([...listed, ...signed].map((viewer) => [viewer.id, viewer]));
  return [...all.values()].filter((viewer) => viewer.id !== me.value?.user.id);
}

/** Who else has the conversation open. */
export function Viewers({ id }: { id: string }) {
  // A sign that is not repeated ends by itself.
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  const names = viewersOf(id).map((viewer) => viewer.name);
  return (
    <p class="viewers" role="status">
      {names.length > 0 && <bdi>{team().viewing(names.join(', '))}</bdi>}
    </p>
  );
}
