// The console as a program of its own on a phone or a computer: what the browser needs to offer that, once the page has its data.
//
// The worker (`src/worker.ts`) keeps nothing and answers no request of a page, so an installed console shows what is, or that it cannot be reached.

const SCRIPT = '/ui/worker.js';

function link(rel: string, href: string): void {
  const element = document.createElement('link');
  Object.assign(element, { rel, href });
  document.head.append(element);
}

link('manifest', '/ui/manifest.webmanifest');
// Phones of Apple read this one alone.
link('apple-touch-icon', '/ui/icon-192.png');

/** The frame of an installed console has the colour of its bar. */
function colour(): void {
  let meta = document.querySelector<HTMLMetaElement>('meta[name=theme-color]');
  if (meta === null) {
    meta = document.createElement('meta');
    meta.name = 'theme-color';
    document.head.append(meta);
  }
  meta.content = getComputedStyle(document.documentElement).getPropertyValue('--surface').trim();
}

colour();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', colour);
new MutationObserver(colour).observe(document.documentElement, { attributeFilter: ['data-theme'] });

/** The worker of this console; undefined where the browser has none, as on pages without TLS. */
export const worker: Promise<ServiceWorkerRegistration | undefined> =
  'serviceWorker' in navigator
    ? navigator.serviceWorker.register(SCRIPT, { scope: '/', updateViaCache: 'none' }).catch(() => undefined)
    : Promise.resolve(undefined);
