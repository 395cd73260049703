// The keyboard map. Keys are named by their place (`KeyboardEvent.code`), not by what they print: on a Russian layout
// the key J prints «о», and works all the same.

import { signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { keep, kept } from './storage';

export interface Shortcut {
  /** `KeyJ`, `Shift+Slash`, `Control+KeyK`, or two keys one after the other: `KeyG KeyI`. */
  keys: string;
  /** What it does, for the list of shortcuts. */
  says: string;
  run: (event: KeyboardEvent) => void;
}

/** The groups that hold now, the newest last: the page's come after the frame's. */
export const shortcuts = signal<readonly { current: readonly Shortcut[] }[]>([]);

/** Whether keys without Control do anything. People who dictate switch them off (WCAG 2.1.4). */
export const letters = signal(kept('letters') !== 'off');

export function switchLetters(on: boolean): void {
  keep('letters', on ? null : 'off');
  letters.value = on;
}

/** Shortcuts that hold while a component is shown: from the moment on, as somebody who knows the keys does not wait. */
export function useShortcuts(list: readonly Shortcut[]): void {
  const group = useRef(list);
  group.current = list;
  useLayoutEffect(() => {
    shortcuts.value = [...shortcuts.peek(), group];
    return () => {
      shortcuts.value = shortcuts.peek().filter((known) => known !== group);
    };
  }, []);
}

/** How long the second key of a pair may take, in milliseconds. */
const PAIR = 1500;
let first: { code: string; at: number } | undefined;

function name(event: KeyboardEvent): string {
  const held = [
    event.ctrlKey || event.metaKey ? 'Control' : '',
    event.altKey ? 'Alt' : '',
    event.shiftKey ? 'Shift' : '',
  ].filter((word) => word !== '');
  return [...held, event.code].join('+');
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input:not([type=checkbox]):not([type=radio]), textarea, select');
}

/** Keys that an element with the focus has a use of its own for. */
function isElements(event: KeyboardEvent): boolean {
  if (!(event.target instanceof Element)) return false;
  return event.code === 'Enter' && event.target.closest('a, button, summary, article') !== null;
}

function find(keys: string): Shortcut | undefined {
  for (const group of [...shortcuts.peek()].reverse()) {
    const found = group.current.find((known) => known.keys === keys);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function listenToKeys(root: Document): void {
  root.addEventListener('keydown', (event) => {
    if (event.defaultPrevented || event.isComposing || event.repeat && event.code.startsWith('Digit')) return;
    const pressed = name(event);
    const held = event.ctrlKey || event.metaKey;
    // What is written is nobody's command, and a dialog has the keys to itself.
    if (!held && (isWriting(event.target) || !letters.peek() || event.altKey)) return;
    if (isElements(event)) return;
    if (root.querySelector('dialog[open]') !== null) return;
    const pair = first !== undefined && event.timeStamp - first.at < PAIR ? find(`${first.code} ${pressed}`) : undefined;
    first = { code: pressed, at: event.timeStamp };
    const found = pair ?? find(pressed);
    if (found === undefined) return;
    first = undefined;
    event.preventDefault();
    found.run(event);
  });
}

/** A shortcut as people read it: «g i», «Ctrl K», «?». */
export function readable(keys: string): string {
  const words: Record<string, string> = {
    Control: 'Ctrl',
    'Shift+Slash': '?',
    Slash: '/',
    Period: '.',
    BracketLeft: '[',
    BracketRight: ']',
    ArrowDown: '↓',
    ArrowUp: '↑',
    Escape: 'Esc',
  };
  const one = (key: string): string =>
    words[key] ??
    key
      .split('+')
      .map((part, at) => words[part] ?? cased(part.replace(/^Key|^Digit/, ''), at > 0))
      .join(' ');
  /** A letter alone is typed as a small one; with another key it is the key that is meant. */
  const cased = (part: string, isCombined: boolean): string => (part.length > 1 || isCombined ? part : part.toLowerCase());
  return keys.split(' ').map(one).join(' ');
}
