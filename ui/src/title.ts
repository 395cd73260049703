// The title of the window: what is shown, with the unread in front, so that a tab in the background tells of them.

import { effect, signal } from '@preact/signals';
import { counted, counts } from './live/counts';

const shown = signal('');

export function nameWindow(words: readonly (string | undefined)[]): void {
  shown.value = words.filter((word) => word !== undefined && word !== '').join(' · ');
}

effect(() => {
  const { unread } = counts.value;
  if (shown.value !== '') document.title = unread.count === 0 ? shown.value : `(${counted(unread)}) ${shown.value}`;
});
