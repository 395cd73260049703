// Whether this browser is pushed what its user is notified of, also while no page of the console is open. It is off until somebody
// switches it on. A browser has one subscription, and it is of one user: of the one who switched it on last.

import { effect, signal, untracked } from '@preact/signals';
import { Problem, ask } from '../api/client';
import { csrf, me } from '../api/session';
import { open } from '../router';
import { keep, kept } from '../storage';
import { worker } from './installed';

const ADDRESS = '/inbox/v1/me/pushes';

/** Whether the browser can be pushed to at all: not on pages without TLS, and on some telephones only once the console is installed. */
export const canPush = 'PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window;
/** Whether this user is pushed notifications in this browser. */
export const isPushed = signal(false);

/** The name under which this browser keeps the number of the subscription of the user who is signed in. */
const wish = (): string => `pushes.${me.peek()?.chat_id ?? ''}`;

/** Gives the service the subscription of this browser; the same once more changes nothing. */
async function send(subscription: PushSubscription): Promise<void> {
  const { endpoint, keys } = subscription.toJSON();
  const { id } = await ask<{ id: number }>(ADDRESS, { method: 'POST', body: { endpoint, keys } });
  keep(wish(), String(id));
  isPushed.value = true;
}

async function subscribe(manager: PushManager): Promise<void> {
  const { public_key } = await ask<{ public_key: string }>(ADDRESS);
  await send(await manager.subscribe({ userVisibleOnly: true, applicationServerKey: public_key }));
}

/** Somebody switched pushes on or off in this browser: by a click, as the browser asks for its permission. */
export async function switchPushes(isOn: boolean): Promise<void> {
  if (isOn && (await Notification.requestPermission()) !== 'granted') return;
  const manager = (await worker)?.pushManager;
  if (manager === undefined) return;
  const id = kept(wish());
  const before = await manager.getSubscription();
  keep(wish(), null);
  isPushed.value = false;
  await before?.unsubscribe();
  if (isOn) await subscribe(manager);
  else if (id !== null) await ask<void>(`${ADDRESS}/${id}`, { method: 'DELETE' }).catch(unlessGone);
}

function unlessGone(failure: unknown): void {
  if (!(failure instanceof Problem) || failure.status !== 404) throw failure;
}

/** The session is new, or the page is: the service learns that the subscription is of this session. */
async function renew(): Promise<void> {
  const manager = (await worker)?.pushManager;
  if (manager === undefined || me.peek() === null) return;
  const subscription = await manager.getSubscription();
  if (kept(wish()) === null) {
    // It is of another user, who is not to be read here.
    await subscription?.unsubscribe();
  } else if (Notification.permission !== 'granted') {
    keep(wish(), null);
  } else if (subscription === null) {
    await subscribe(manager);
  } else {
    await send(subscription);
  }
}

effect(() => {
  if (!canPush || csrf.value === undefined) return;
  untracked(() => {
    isPushed.value = kept(wish()) !== null;
    // The next page tries again.
    renew().catch(() => {});
  });
});

// A notification that was clicked leads to its conversation, in this page.
if (canPush) {
  navigator.serviceWorker.addEventListener('message', ({ data }: MessageEvent<{ open?: unknown }>) => {
    if (typeof data.open === 'string' && data.open.startsWith('/')) open(data.open);
  });
}
