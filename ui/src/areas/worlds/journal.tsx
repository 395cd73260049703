import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button';
import { Choices } from '../../parts/choices';
import { typed } from '../../parts/typed';
import { narrow, place } from '../../router';
import { shell } from '../../words/shell';
import { worlds } from '../../words/worlds';
import { Part } from '../operator/facts';
import { Downloads } from './downloads';
import { EntryRow } from './entry';
import type { Happened } from './happened';
import './journal.css';
import { type Entry, KINDS } from './types';

/** An entry, or how many are not in the page at this place. */
type Row = { entry: Entry } | { missing: number; before: number };

/** The newest first: what wanted entries there are, and where some are not in the page. */
function rowsOf(entries: readonly Entry[], isWanted: (entry: Entry) => boolean): Row[] {
  const rows: Row[] = [];
  let before = 0;
  for (const entry of entries) {
    const missing = entry.cursor - before - 1;
    if (missing > 0) rows.push({ missing, before: entry.cursor });
    if (isWanted(entry)) rows.push({ entry });
    before = entry.cursor;
  }
  return rows.reverse();
}

/** A form as people read it. */
function readable(form: string): string {
  return [...new URLSearchParams(form)].map(([key, value]) => `${key}=${value}`).join('\n');
}

/** All that somebody may look for in an entry. */
function textOf(entry: Entry): string {
  if (entry.kind === 'note') return `${entry.who} ${entry.what}`;
  if (entry.kind === 'request') return `${entry.what} ${entry.status ?? ''} ${entry.request} ${entry.answer}`;
  if (entry.kind === 'hook') {
    const { code, what, request_id: id, outcome, fault = '' } = entry;
    return `${code} ${what} ${id} ${outcome} ${fault} ${readable(entry.form)}`;
  }
  if (entry.kind === 'question') return `${entry.what} ${entry.outcome} ${entry.fault ?? ''} ${entry.body}`;
  return `${entry.what} ${entry.message_id} ${entry.outcome} ${entry.fault ?? ''} ${entry.body}`;
}

/** What happened in a world, the newest first. */
export function Journal({ id, happened }: { id: string; happened: Happened }) {
  const words = worlds().journal;
  const text = useSignal('');
  const kind = KINDS.find((known) => known === place.value.query.get('kind')) ?? '';
  const wanted = text.value.trim().toLowerCase();
  const isWanted = (entry: Entry): boolean =>
    (kind === '' || entry.kind === kind) && (wanted === '' || textOf(entry).toLowerCase().includes(wanted));
  const rows = rowsOf(happened.entries, isWanted);
  const isNothing = rows.every((row) => 'missing' in row);
  return (
    <Part title={words.title} actions={<Downloads id={id} />}>
      <div class="journal-filter">
        <Choices
          label={words.kind}
          value={kind}
          options={[{ value: '', says: worlds().all }, ...KINDS.map((value) => ({ value, says: words.kinds[value] }))]}
          onChoose={(chosen) => narrow({ kind: chosen })}
        />
        <input type="search" aria-label={words.find} placeholder={words.find} {...typed(text)} />
      </div>
      {happened.entries.length === 0 && <p class="soft">{words.empty}</p>}
      {happened.entries.length > 0 && isNothing && (
        <p class="soft">
          {words.nothing}{' '}
          <Button
            look="quiet"
            onClick={() => {
              text.value = '';
              narrow({ kind: null });
            }}
          >
            {shell().clear}
          </Button>
        </p>
      )}
      <ol class="journal" reversed aria-label={words.title}>
        {rows.map((row) =>
          'entry' in row ? (
            <EntryRow key={row.entry.cursor} entry={row.entry} />
          ) : (
            <li key={`before ${row.before}`} class="soft">
              {words.missing(row.missing)}
            </li>
          ),
        )}
      </ol>
    </Part>
  );
}
