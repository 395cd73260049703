// Rights that somebody is changing, with every step back.

import { type Signal, signal } from '@preact/signals';
import type { Rights } from './rights';

export interface Note {
  /** In the language of now. */
  says: () => string;
  /** Something followed, or could not be done: shown, not only read out. */
  tone: 'quiet' | 'forced' | 'refused';
}

export class Edit {
  readonly rights: Signal<Rights>;
  readonly past: Signal<readonly Rights[]> = signal([]);
  readonly note: Signal<Note | undefined> = signal(undefined);

  constructor(rights: Rights) {
    this.rights = signal(rights);
  }

  /** Changes, and says what came of it. */
  put(next: Rights, note: Note): void {
    this.past.value = [...this.past.peek(), this.rights.peek()];
    this.rights.value = next;
    this.note.value = note;
  }

  undo(): void {
    const before = this.past.peek().at(-1);
    if (before === undefined) return;
    this.past.value = this.past.peek().slice(0, -1);
    this.rights.value = before;
    this.note.value = undefined;
  }

  /** Ctrl Z, or the same on a Mac, anywhere but in a text, which has steps back of its own. */
  onKeyDown = (event: KeyboardEvent): void => {
    if (event.code !== 'KeyZ' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    const { target } = event;
    if (target instanceof HTMLElement && target.matches('textarea, input:not([type=checkbox])')) return;
    event.preventDefault();
    this.undo();
  };
}
