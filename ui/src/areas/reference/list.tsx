import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { useShortcuts } from '../../keys';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { narrow, open, place } from '../../router';
import { reference } from '../../words/reference';
import { shell } from '../../words/shell';
import { Split } from '../operator/split';
import { Address } from './address';
import { CALLBACKS, type Operation, found } from './document';
import { OVERVIEW } from './overview';

interface Props {
  selected: string | undefined;
  operations: readonly Operation[];
  /** Beside the rows. */
  children: ComponentChildren;
}

/** All operations by interface, with a search. */
export function List({ selected, operations, children }: Props) {
  const words = reference();
  const search = useRef<HTMLInputElement>(null);
  const { query } = place.value;
  const [text, group] = [query.get('q') ?? '', query.get('interface') ?? ''];
  const rows = found(operations, group, text);
  const groups = [...new Set(operations.map((it) => it.group))];
  const names: Record<string, string> = words.groups;
  const at = (id: string): string => `/reference/${encodeURIComponent(id)}${location.search}`;
  const go = (step: number): void => {
    const here = rows.findIndex((row) => row.id === selected);
    const next = rows[Math.max(0, Math.min(rows.length - 1, here + step))];
    if (next !== undefined) open(at(next.id));
  };
  useShortcuts([
    { keys: 'KeyJ', says: words.next, run: () => go(1) },
    { keys: 'ArrowDown', says: words.next, run: () => go(1) },
    { keys: 'KeyK', says: words.previous, run: () => go(-1) },
    { keys: 'ArrowUp', says: words.previous, run: () => go(-1) },
    { keys: 'Slash', says: shell().shortcuts.search, run: () => search.current?.focus() },
    { keys: 'Control+KeyK', says: shell().shortcuts.search, run: () => search.current?.focus() },
  ]);
  const filters = (
    <>
      <input
        ref={search}
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        value={text}
        onInput={(event) => narrow({ q: event.currentTarget.value })}
      />
      <select aria-label={words.group} value={group} onChange={(event) => narrow({ interface: event.currentTarget.value })}>
        <option value="">{words.allGroups}</option>
        {groups.map((name) => (
          <option key={name} value={name}>
            {names[name] ?? name}
          </option>
        ))}
      </select>
      <p class="soft" role="status">
        {words.count(rows.length)}
      </p>
    </>
  );
  return (
    <Split
      label={words.list}
      narrow={filters}
      isChosen={selected !== undefined}
      home="/reference"
      rows={
        <>
          <ul>
            <li>
              <a class="line" href={at(OVERVIEW)} aria-current={selected === undefined || selected === OVERVIEW ? 'true' : undefined}>
                {words.overview}
              </a>
            </li>
          </ul>
          {rows.length === 0 && (
            <Empty title={words.nothing}>
              <Button onClick={() => narrow({ q: null, interface: null })}>{shell().clear}</Button>
            </Empty>
          )}
          {groups
            .map((name) => [name, rows.filter((row) => row.group === name)] as const)
            .filter(([, members]) => members.length > 0)
            .map(([name, members]) => (
              <section key={name} aria-label={names[name] ?? name}>
                <h2 class="group">{names[name] ?? name}</h2>
                <ul>
                  {members.map((row) => (
                    <li key={row.id}>
                      <a class="line" href={at(row.id)} aria-current={row.id === selected ? 'true' : undefined}>
                        {row.group !== CALLBACKS && (
                          <span class="address">
                            <Address operation={row} />
                          </span>
                        )}
                        <span class="under" lang="en">
                          {row.summary}
                        </span>
                      </a>
                    </li>
                  ))}
                </ul>
              </section>
            ))}
        </>
      }
    >
      {children}
    </Split>
  );
}
