// The worker of the console, which browsers want of a page that can be installed. It answers no request and keeps nothing: what a
// page shows comes from the service, or not at all.

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Worker {
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
  addEventListener(kind: 'install' | 'activate', listener: (event: Lasting) => void): void;
}

declare const self: Worker;

// A new worker takes the place of the old one at once: they differ in nothing that a page could miss.
self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

export {};
