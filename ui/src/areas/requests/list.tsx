import { useSignal, useSignalEffect } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { type Problem, asProblem } from '../../api/client';
import { askAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Choices } from '../../parts/choices';
import { Empty } from '../../parts/empty';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { narrow, place } from '../../router';
import { moment, recentMoment } from '../../words/language';
import { requests } from '../../words/requests';
import { shell } from '../../words/shell';
import { ChannelChoice } from '../operator/channels';
import { usePolled } from '../operator/polled';
import { Split } from '../operator/split';
import { type RequestLine, SURFACES } from '../operator/types';
import { Status } from '../operator/status';
import { useWalk } from '../operator/walk';
import { type Known, operationOf, refusalOf, senderOf, subjectOf } from './about';

interface Rows {
  requests: RequestLine[];
  next: string | null;
  /** Whether requests are kept at all. */
  is_on: boolean;
  /** How many were not kept because there were too many. */
  left_out: number;
}

interface Props {
  selected: string | undefined;
  known: Known;
  /** Beside the rows. */
  children: ComponentChildren;
}

/** Whether requests of the chat interface are among those of this choice. */
const isOfChat = (surface: string): boolean => surface === '' || surface === 'chat';

/** How many rows are kept in the page. */
const MOST = 1000;

/** What programs requested lately, the newest first. */
export function List({ selected, known, children }: Props) {
  const words = requests();
  const { query } = place.value;
  const outcome = query.get('outcome') ?? '';
  // A channel is chosen among requests of the chat interface.
  const surface = query.get('surface') ?? '';
  const channel = isOfChat(surface) ? (query.get('channel') ?? '') : '';
  const isFiltered = outcome !== '' || channel !== '' || surface !== '';
  const key = `${outcome} ${channel} ${surface}`;
  const ask = (cursor?: string, signal?: AbortSignal): Promise<Rows> =>
    askAsOperator<Rows>('/admin/v1/requests', {
      query: { outcome, channel_id: channel, surface, limit: 100, cursor },
      ...(signal === undefined ? {} : { signal }),
    });
  const first = usePolled(key, 2000, (signal) => ask(undefined, signal));
  /** All that was told of this question, by id: older pages stay while new rows come above them. */
  const loaded = useSignal<{ key: string; rows: ReadonlyMap<string, RequestLine>; next: string | null }>({
    key,
    rows: new Map(),
    next: null,
  });
  const trouble = useSignal<Problem | undefined>(undefined);
  useSignalEffect(() => {
    const page = first.data.value;
    if (page === undefined) return;
    const before = loaded.peek();
    const [earlier, next] = before.key === key && before.rows.size > 0 ? [before.rows, before.next] : [[], page.next];
    const rows = new Map([...earlier, ...page.requests.map((row): [string, RequestLine] => [row.id, row])]);
    loaded.value = { key, rows, next };
  });
  const rows = loaded.value.key === key && first.data.value !== undefined ? [...loaded.value.rows.values()] : [];
  // Ids are numbers that grow with time, too long for a number of this language.
  rows.sort((one, other) => other.id.length - one.id.length || (other.id > one.id ? 1 : -1));
  rows.length = Math.min(rows.length, MOST);
  const next = rows.length < MOST ? loaded.value.next : null;
  const more = async (): Promise<void> => {
    try {
      const page = await ask(next ?? undefined);
      const all = [...loaded.peek().rows, ...page.requests.map((row): [string, RequestLine] => [row.id, row])];
      loaded.value = { key, rows: new Map(all), next: page.next };
      trouble.value = undefined;
    } catch (failure) {
      trouble.value = asProblem(failure);
    }
  };
  const at = (id: string): string => `/requests/${encodeURIComponent(id)}${location.search}`;
  useWalk({ rows, selected, at, words });
  const problem = trouble.value ?? first.problem.value;
  const page = first.data.value;
  const filters = (
    <>
      <Choices
        label={words.outcome}
        value={outcome}
        options={[
          { value: '', says: words.all },
          { value: 'refused', says: words.refused },
          { value: 'answered', says: words.answered },
        ]}
        onChoose={(chosen) => narrow({ outcome: chosen })}
      />
      <Choices
        label={words.surface}
        value={surface}
        options={[{ value: '', says: words.allSurfaces }, ...SURFACES.map((value) => ({ value, says: words.surfaces[value] }))]}
        onChoose={(chosen) => narrow({ surface: chosen, ...(isOfChat(chosen) ? {} : { channel: null }) })}
      />
      {isOfChat(surface) && <ChannelChoice all={known.channels} value={channel} onChoose={(id) => narrow({ channel: id })} />}
      {page !== undefined && page.left_out > 0 && <p class="soft">{words.leftOut(page.left_out)}</p>}
    </>
  );
  return (
    <Split
      label={words.list}
      narrow={filters}
      isChosen={selected !== undefined}
      home="/requests"
      rows={
        <>
          {problem !== undefined && <ProblemNote problem={problem} retry={first.reload} />}
          {page === undefined && problem === undefined && <Skeleton />}
          {page !== undefined && rows.length === 0 && (
            <Empty title={!page.is_on ? words.off : isFiltered ? words.nothing : words.empty}>
              {page.is_on && isFiltered && (
                <Button onClick={() => narrow({ outcome: null, channel: null, surface: null })}>{shell().clear}</Button>
              )}
            </Empty>
          )}
          <ul>
            {rows.map((row) => (
              <li key={row.id}>
                <a class="line" href={at(row.id)} aria-current={row.id === selected ? 'true' : undefined} title={row.path}>
                  <span>
                    <Status status={row.status} /> {operationOf(row)}
                  </span>
                  <time dateTime={new Date(row.at_ms).toISOString()} title={moment(row.at_ms / 1000)}>
                    {recentMoment(row.at_ms / 1000)}
                  </time>
                  <span class="under">
                    <bdi>{[...subjectOf(row), senderOf(row, known)].join(' · ')}</bdi>
                  </span>
                  {refusalOf(row) !== undefined && <span class="under bad">{refusalOf(row)}</span>}
                </a>
              </li>
            ))}
          </ul>
          {next !== null && rows.length > 0 && <Button onClick={() => void more()}>{shell().loadMore}</Button>}
        </>
      }
    >
      {children}
    </Split>
  );
}
