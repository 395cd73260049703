// The worker of the console, which browsers want of a page that can be installed, and which shows what is pushed to the browser. It
// answers no request and keeps nothing: what a page shows comes from the service, or not at all.

import { en } from './words/notifications.en';
import { es } from './words/notifications.es';
import { ru } from './words/notifications.ru';

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Page {
  readonly visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  postMessage(message: unknown): void;
}

interface Worker {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: {
    claim(): Promise<void>;
    matchAll(which: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly Page[]>;
    openWindow(address: string): Promise<unknown>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(kind: 'install' | 'activate', listener: (event: Lasting) => void): void;
  addEventListener(kind: 'push', listener: (event: Lasting & { data: { json(): unknown } | null }) => void): void;
  addEventListener(kind: 'notificationclick', listener: (event: Lasting & { notification: Notification }) => void): void;
}

declare const self: Worker;

/** What the service pushes (`src/serve/pushing/payload.rs`). */
interface Push {
  kind: keyof typeof en.kinds | 'summary';
  tag: string;
  conversation_id: string | null;
  channel: string | null;
  count: number;
  conversations: number;
  lang: string;
  text?: string;
}

const WORDS = new Map(Object.entries({ en, es, ru }));

// A new worker takes the place of the old one at once: they differ in nothing that a page could miss.
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

function title(push: Push): string {
  const words = WORDS.get(push.lang) ?? en;
  if (push.kind === 'summary') return words.summary(push.count, push.conversations);
  return words.kinds[push.kind].title(push.channel ?? 'Switchboard');
}

/** Browsers take the permission from pages that show nothing for a push, so something is shown for one that is not understood. */
async function show(data: { json(): unknown } | null): Promise<void> {
  const icon = '/ui/icon-192.png';
  try {
    const push = data?.json() as Push;
    const to = push.conversation_id === null ? '/conversations' : `/conversations/${push.conversation_id}`;
    const options = { tag: push.tag, lang: push.lang, icon, data: to, ...(push.text === undefined ? {} : { body: push.text }) };
    await self.registration.showNotification(title(push), options);
  } catch {
    await self.registration.showNotification('Switchboard', { tag: 'unknown', icon, data: '/conversations' });
  }
}

/** Leads to a page of the console: in one that is open, if there is one. */
async function lead(to: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const page = pages.find((it) => it.visibilityState === 'visible') ?? pages[0];
  if (page === undefined) {
    await self.clients.openWindow(to);
    return;
  }
  page.postMessage({ open: to });
  await page.focus();
}

self.addEventListener('push', (event) => event.waitUntil(show(event.data)));
self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(lead(String(event.notification.data)));
});
