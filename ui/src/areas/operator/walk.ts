import { useShortcuts } from '../../keys';
import { open } from '../../router';

interface Walk<T> {
  rows: readonly T[];
  /** The id of the row that is looked at. */
  selected: string | undefined;
  /** The address of a row. */
  at: (id: string) => string;
  /** What the steps are called, in the list of shortcuts. */
  words: { next: string; previous: string };
  /** The row that is opened now is at this place: it can be brought into sight. */
  onStep?: (at: number) => void;
}

/** Walks a list by keys, from row to row. */
export function useWalk<T extends { id: string }>({ rows, selected, at, words, onStep }: Walk<T>): void {
  const go = (step: number): void => {
    const here = rows.findIndex((row) => row.id === selected);
    const place = Math.max(0, Math.min(rows.length - 1, here + step));
    const found = rows[place];
    if (found === undefined) return;
    onStep?.(place);
    open(at(found.id));
  };
  useShortcuts([
    { keys: 'KeyJ', says: words.next, run: () => go(1) },
    { keys: 'ArrowDown', says: words.next, run: () => go(1) },
    { keys: 'KeyK', says: words.previous, run: () => go(-1) },
    { keys: 'ArrowUp', says: words.previous, run: () => go(-1) },
  ]);
}
