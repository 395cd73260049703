// The address bar as a signal. Every page has an address of its own, and every address survives a reload.

import { signal } from '@preact/signals';

/** The path and query of the page that is shown. */
export const place = signal(read());
/** Counts how often a page was opened: what begins with a page begins again with each. */
export const visits = signal(0);

function read(): { path: string; query: URLSearchParams } {
  return { path: location.pathname, query: new URLSearchParams(location.search) };
}

function arrived(): void {
  place.value = read();
  visits.value += 1;
}

addEventListener('popstate', () => {
  const { path, query } = place.peek();
  // A step to a place within the page is none between pages.
  if (location.pathname === path && new URLSearchParams(location.search).toString() === query.toString()) return;
  arrived();
});

/** Opens a page. `replace` leaves no trace of the present one in the history. */
export function open(address: string, how: 'push' | 'replace' = 'push'): void {
  if (address === location.pathname + location.search) how = 'replace';
  if (how === 'replace') history.replaceState(null, '', address);
  else history.pushState(null, '', address);
  arrived();
}

/** Shows another page than the one that was asked for: nobody has gone anywhere. */
export function redirect(address: string): void {
  history.replaceState(null, '', address);
  place.value = read();
}

/** Changes the query of this page, without a step in the history: filters. */
export function narrow(changes: Record<string, string | null>): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') query.delete(name);
    else query.set(name, value);
  }
  const text = query.toString();
  history.replaceState(null, '', location.pathname + (text === '' ? '' : `?${text}`));
  place.value = read();
}

/** The parameters of a path under a pattern such as `/roles/:id`; a parameter with `?` may be missing. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  const found: Record<string, string> = {};
  if (given.length > wanted.length) return undefined;
  for (const [at, word] of wanted.entries()) {
    const value = given[at];
    if (word.startsWith(':')) {
      const optional = word.endsWith('?');
      const name = word.slice(1, optional ? -1 : undefined);
      if (value === undefined || value === '') {
        if (!optional) return undefined;
      } else {
        try {
          found[name] = decodeURIComponent(value);
        } catch {
          return undefined;
        }
      }
    } else if (word !== value) {
      return undefined;
    }
  }
  return found;
}

/** Links within the console open pages; every other click is the browser's. */
export function followLinks(root: EventTarget): void {
  root.addEventListener('click', (event) => {
    const click = event as MouseEvent;
    if (click.defaultPrevented || click.button !== 0) return;
    if (click.metaKey || click.ctrlKey || click.shiftKey || click.altKey) return;
    const link = (click.target as Element).closest('a');
    if (link === null || link.target !== '' || link.origin !== location.origin) return;
    if (link.hasAttribute('download') || link.getAttribute('href')?.startsWith('#')) return;
    if (link.dataset.leave !== undefined) return;
    click.preventDefault();
    open(link.pathname + link.search);
  });
}
