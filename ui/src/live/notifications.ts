// What the service notifies this user of, as the browser shows it. The service decides what and how often, once for all pages of the
// user; all of them show the same, and the browser keeps one for each tag.

import { effect, signal } from '@preact/signals';
import { changeMe, isNew, me } from '../api/session';
import { open } from '../router';
import { keep, kept } from '../storage';
import { notifications as words } from '../words/notifications';
import { NOTHING, counts } from './counts';
import { on, resume, whileHidden } from './events';
import { worker } from './installed';
import { isPushed } from './pushes';

export const KINDS = ['new_conversation', 'new_message', 'assigned', 'mention', 'send_failed', 'scheduled_held'] as const;

interface Notice {
  id: string;
  kind: (typeof KINDS)[number] | 'summary';
  conversation_id: string | null;
  tag: string;
  channel: string | null;
  count: number;
  conversations: number;
  sound: boolean;
}

/** Whether the browser can show notifications at all: not on pages without TLS. */
export const isPossible = 'Notification' in window;
/** What the user of this browser answered when it asked. */
export const permission = signal<NotificationPermission>(isPossible ? Notification.permission : 'denied');
/** Whether this user wants them in this browser. */
const wanted = signal(false);

/** The name under which this browser keeps the wish of the user who is signed in. */
const wish = (): string => `notifications.${me.peek()?.chat_id ?? ''}`;

effect(() => {
  if (me.value !== undefined && me.value !== null) wanted.value = kept(wish()) === 'on';
});

/** Whether notifications are shown here. */
export const isShown = (): boolean => wanted.value && permission.value === 'granted';

/** Somebody switched notifications on or off in this browser: by a click, as the browser asks for its permission. */
export async function switchHere(isOn: boolean): Promise<void> {
  if (isOn && isPossible) permission.value = await Notification.requestPermission();
  wanted.value = isOn && permission.value === 'granted';
  keep(wish(), wanted.value ? 'on' : null);
}

/** What this page shows now, by tag; what was read goes. Ends of notifications come as events, so it stays short. */
const shown = new Map<string, Notification>();
const SHOWN_MAX = 50;

function show(title: string, tag: string, to: string): void {
  if (!isShown()) return;
  let notification: Notification;
  try {
    // The sound is the page's own, once for all pages.
    notification = new Notification(title, { tag, silent: true, lang: document.documentElement.lang });
  } catch {
    // Browsers of telephones show those of workers only.
    void worker.then((it) => it?.showNotification(title, { tag, silent: true, data: to }));
    return;
  }
  notification.onclick = () => {
    window.focus();
    open(to);
    notification.close();
  };
  notification.onclose = () => {
    if (shown.get(tag) === notification) shown.delete(tag);
  };
  const [oldest] = shown.keys();
  if (shown.size >= SHOWN_MAX && oldest !== undefined) shown.delete(oldest);
  shown.set(tag, notification);
}

function title({ kind, channel, count, conversations }: Notice): string {
  return kind === 'summary' ? words().summary(count, conversations) : words().kinds[kind].title(channel ?? '');
}

/** A short sound, from one page of this browser. */
function ring(): void {
  void navigator.locks?.request('switchboard.sound', { ifAvailable: true }, async (lock) => {
    if (lock === null) return;
    const context = new AudioContext();
    const [tone, volume] = [context.createOscillator(), context.createGain()];
    tone.frequency.value = 660;
    volume.gain.value = 0.08;
    tone.connect(volume).connect(context.destination);
    tone.start();
    tone.stop(context.currentTime + 0.2);
    // The other pages hear of the same one meanwhile.
    await new Promise((wake) => setTimeout(wake, 1_000));
    await context.close();
  });
}

on<Notice>('notification', (notice) => {
  show(title(notice), notice.tag, notice.conversation_id === null ? '/conversations' : `/conversations/${notice.conversation_id}`);
  if (notice.sound) ring();
});

on<{ conversation_id: string }>('read', ({ conversation_id: id }) => shown.get(id)?.close());

/** Minutes by which the clock of this browser is ahead of UTC. */
export const utcOffset = (): number => -new Date().getTimezoneOffset();

/** Whether it is an hour without notifications, by the clock of this browser. */
function isQuiet(): boolean {
  const hours = me.peek()?.notifications?.quiet_hours ?? null;
  if (hours === null) return false;
  const now = new Date().toTimeString().slice(0, 5);
  const { from, to } = hours;
  return from <= to ? from <= now && now < to : now >= from || now < to;
}

// After the sign-in there is one summary of what waits, and no history.
effect(() => {
  if (!isNew.value || counts.value === NOTHING) return;
  isNew.value = false;
  const { unread } = counts.value;
  if (unread.count > 0 && !isQuiet()) show(words().waiting(unread.count), 'summary', '/conversations');
});

// The clock of the user goes another way in summer, and on a journey: the service learns of it.
effect(() => {
  const settings = me.value?.notifications;
  const hours = settings?.quiet_hours ?? null;
  if (settings === undefined || hours === null || hours.utc_offset === utcOffset()) return;
  // The hours are wrong until the next try, and nothing else.
  changeMe({ notifications: { ...settings, quiet_hours: { ...hours, utc_offset: utcOffset() } } }).catch(() => {});
});

// A dot on the icon while something is unread.
effect(() => {
  const icon = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (icon !== null) icon.href = counts.value.unread.count > 0 ? '/ui/icon-unread.svg' : '/ui/icon.svg';
});

// Of the hidden pages of this browser one keeps its line, so that somebody is notified: browsers allow six lines to one host.
let keeps = false;
let giveBack: (() => void) | undefined;
whileHidden.keeps = () => keeps;

function whenSeenOrHidden(): void {
  giveBack?.();
  giveBack = undefined;
  // A browser that is pushed notifications needs no line for them.
  if (!document.hidden || !isShown() || isPushed.peek()) return;
  const ending = new AbortController();
  giveBack = () => ending.abort();
  navigator.locks
    ?.request('switchboard.line', { signal: ending.signal }, async () => {
      if (ending.signal.aborted) return;
      keeps = true;
      resume();
      await new Promise((wake) => ending.signal.addEventListener('abort', wake));
      keeps = false;
    })
    // It was given back before it was had.
    .catch(() => {});
}

document.addEventListener('visibilitychange', whenSeenOrHidden);
