// A long list of rows of one height, of which only those near the eye are in the document.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import './window.css';

/** How many rows beyond the edge are kept ready. */
const SPARE = 8;

interface Props<T> {
  rows: readonly T[];
  /** In pixels; each row must be exactly this high. */
  height: number;
  keyOf: (row: T) => string;
  /** The row at this place, counted from 0. */
  render: (row: T, at: number) => ComponentChildren;
  label: string;
  /** The id of the list, when a link leads to it. */
  id?: string;
  /** The end of the rows is near. */
  onEnd?: () => void;
  /** Whether the list is at its top. */
  onTop?: (atTop: boolean) => void;
  /** Below the last row. */
  children?: ComponentChildren;
}

export function WindowedList<T>({ rows, height, keyOf, render, label, id, onEnd, onTop, children }: Props<T>) {
  const scroller = useRef<HTMLDivElement>(null);
  /** The first row that is in the document, and how many are. */
  const seen = useSignal({ first: 0, count: 30 });
  const look = (): void => {
    const element = scroller.current;
    if (element === null) return;
    const first = Math.max(0, Math.floor(element.scrollTop / height) - SPARE);
    const count = Math.ceil(element.clientHeight / height) + 2 * SPARE;
    const before = seen.peek();
    if (before.first !== first || before.count !== count) seen.value = { first, count };
    onTop?.(element.scrollTop < height / 2);
    if (element.scrollTop + element.clientHeight > (rows.length - 20) * height) onEnd?.();
  };
  const newest = useRef(look);
  newest.current = look;
  useEffect(() => {
    const watcher = new ResizeObserver(() => newest.current());
    if (scroller.current !== null) watcher.observe(scroller.current);
    return () => watcher.disconnect();
  }, []);
  useEffect(() => newest.current(), [rows.length]);
  const { first, count } = seen.value;
  const shown = rows.slice(first, first + count);
  return (
    <div class="windowed" ref={scroller} onScroll={look} data-scroller>
      <ul id={id} tabIndex={id === undefined ? undefined : -1} aria-label={label} style={{ height: `${rows.length * height}px` }}>
        {shown.map((row, at) => (
          <li
            key={keyOf(row)}
            style={{ height: `${height}px`, transform: `translateY(${(first + at) * height}px)` }}
            aria-setsize={rows.length}
            aria-posinset={first + at + 1}
          >
            {render(row, first + at)}
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}

/** Brings a row of a windowed list into sight. */
export function reveal(scroller: Element | null, at: number, height: number): void {
  if (scroller === null) return;
  const [top, bottom] = [at * height, (at + 1) * height];
  if (top < scroller.scrollTop) scroller.scrollTop = top;
  else if (bottom > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = bottom - scroller.clientHeight;
}
