// A grid of rights. For the keyboard it is one place: arrows move, A G M D set, Shift sets the row. For the pointer the
// choices of the chosen cell stand below it, each that cannot be chosen with the reason.

import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../parts/icon';
import { people } from '../../words/people';
import { Right } from './letter';
import { LETTERS, type Letter } from './rights';
import './matrix.css';

export interface Option {
  /** Undefined: nothing is said. */
  letter: Letter | undefined;
  /** Why it cannot be chosen. */
  why?: string | undefined;
}

export type Cell =
  | { is: 'right'; value: Letter | undefined; says: string; options: readonly Option[]; wrong?: string | undefined }
  /** There is no such right, and this is why. */
  | { is: 'none'; says: string; why: string }
  | { is: 'action'; says: string; run: () => void };

export interface Row {
  key: string;
  title: ComponentChildren;
  cells: readonly Cell[];
}

interface Props {
  label: string;
  columns: readonly string[];
  rows: readonly Row[];
  /** Letters that a whole row can be set to. */
  letters: readonly Letter[];
  onSet: (row: number, column: number, letter: Letter | undefined) => void;
  onSetRow: (row: number, letter: Letter) => void;
}

/** The letter of a key by its place: on a Russian layout the key A prints «ф». */
const letterOf = (event: KeyboardEvent): Letter | undefined => LETTERS.find((letter) => event.code === `Key${letter}`);

export function Matrix({ label, columns, rows, letters, onSet, onSetRow }: Props) {
  const words = people().matrix;
  const at = useSignal({ row: 0, column: 0 });
  const table = useRef<HTMLTableElement>(null);
  /** Whether the focus has to follow: not before somebody was here. */
  const follows = useRef(false);
  const within = ({ row, column }: { row: number; column: number }): { row: number; column: number } => ({
    row: Math.max(0, Math.min(rows.length - 1, row)),
    column: Math.max(0, Math.min(columns.length - 1, column)),
  });
  const { row, column } = within(at.value);
  const chosen = rows[row]?.cells[column];
  // As soon as it is drawn: a key that comes later must find the focus where it belongs.
  useLayoutEffect(() => {
    if (!follows.current) return;
    follows.current = false;
    table.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  });
  const go = (row: number, column: number): void => {
    follows.current = true;
    at.value = within({ row, column });
  };
  const next = (row: number, column: number): void => {
    const chosen = rows[row]?.cells[column];
    if (chosen?.is === 'action') {
      follows.current = true;
      chosen.run();
    }
    if (chosen?.is !== 'right') return;
    const free = chosen.options.filter((option) => option.why === undefined);
    const now = free.findIndex((option) => option.letter === chosen.value);
    const found = free[(now + 1) % free.length];
    if (found !== undefined) onSet(row, column, found.letter);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.altKey || event.isComposing) return;
    const held = event.ctrlKey || event.metaKey;
    // Where one is now: keys may come faster than the page is drawn.
    const { row, column } = within(at.peek());
    const chosen = rows[row]?.cells[column];
    const again = (): void => next(row, column);
    const moves: Record<string, () => void> = {
      ArrowUp: () => go(row - 1, column),
      ArrowDown: () => go(row + 1, column),
      ArrowLeft: () => go(row, column - 1),
      ArrowRight: () => go(row, column + 1),
      Home: () => go(held ? 0 : row, 0),
      End: () => go(held ? rows.length : row, columns.length),
      ...(held ? {} : { Space: again, Enter: again }),
    };
    const letter = held ? undefined : letterOf(event);
    if (letter !== undefined) {
      if (event.shiftKey) onSetRow(row, letter);
      else onSet(row, column, letter);
    } else if (!held && (event.code === 'Backspace' || event.code === 'Delete')) {
      if (chosen?.is === 'action') again();
      else if (chosen?.is === 'right' && chosen.options.some((option) => option.letter === undefined)) onSet(row, column, undefined);
    } else {
      const move = moves[event.code];
      if (move === undefined) return;
      move();
    }
    event.preventDefault();
  };
  return (
    <div class="matrix">
      <div class="scrolls">
        <table role="grid" aria-label={label} ref={table} onKeyDown={press}>
          <thead>
            <tr>
              <td />
              {columns.map((title) => (
                <th key={title} scope="col">
                  {title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((line, down) => (
              <tr key={line.key}>
                <th scope="row">{line.title}</th>
                {line.cells.map((cell, right) => {
                  const isChosen = down === row && right === column;
                  return (
                    <td
                      key={right}
                      role="gridcell"
                      tabIndex={isChosen ? 0 : -1}
                      aria-selected={isChosen}
                      aria-invalid={cell.is === 'right' && cell.wrong !== undefined ? true : undefined}
                      title={cell.is === 'right' ? cell.wrong : undefined}
                      onFocus={() => {
                        const now = at.peek();
                        if (now.row !== down || now.column !== right) at.value = { row: down, column: right };
                      }}
                      onClick={cell.is === 'action' ? cell.run : undefined}
                    >
                      <span aria-hidden="true">
                        <Inside cell={cell} />
                      </span>
                      <span class="unseen">{cell.is === 'none' ? `${cell.says}: ${cell.why}` : cell.says}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {chosen !== undefined && (
        <div class="choice" role="group" aria-label={words.choice}>
          <Choice cell={chosen} onChoose={(letter) => onSet(row, column, letter)} />
          {chosen.is !== 'action' && (
            <span class="whole">
              <span class="soft">{words.row}</span>
              {letters.map((letter) => (
                <button key={letter} type="button" tabIndex={-1} aria-label={`${words.row} ${letter}`} onClick={() => onSetRow(row, letter)}>
                  {letter}
                </button>
              ))}
            </span>
          )}
        </div>
      )}
      <p class="hint soft">{words.hint(letters.join(' '))}</p>
    </div>
  );
}

function Inside({ cell }: { cell: Cell }) {
  if (cell.is === 'none') return <span class="soft">—</span>;
  if (cell.is === 'action') return <Icon name="trash" />;
  return cell.value === undefined ? <span class="soft">{people().unsaid}</span> : <Right letter={cell.value} />;
}

function Choice({ cell, onChoose }: { cell: Cell; onChoose: (letter: Letter | undefined) => void }) {
  if (cell.is !== 'right') return <span>{cell.is === 'none' ? `${cell.says}: ${cell.why}` : cell.says}</span>;
  const reasons = [...new Set(cell.options.flatMap((option) => (option.why === undefined ? [] : [option.why])))];
  return (
    <>
      <strong>{cell.says}</strong>
      <span class="options">
        {cell.options.map((option) => (
          <button
            key={option.letter ?? ''}
            type="button"
            tabIndex={-1}
            aria-pressed={option.letter === cell.value}
            disabled={option.why !== undefined}
            title={option.why}
            onClick={() => onChoose(option.letter)}
          >
            {option.letter === undefined ? people().unsaid : <Right letter={option.letter} />}
          </button>
        ))}
      </span>
      {reasons.length > 0 && <span class="soft">{reasons.join(' · ')}</span>}
    </>
  );
}
