import type { ComponentChildren } from 'preact';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { callbacks } from '../../words/callbacks';
import { moment, recentMoment } from '../../words/language';
import { shell } from '../../words/shell';
import { webhooks } from '../../words/webhooks';
import { useNewest } from '../callbacks/newest';
import { StateBadge, answerOf, meaningOf } from '../callbacks/state';
import { Split } from '../operator/split';
import { useWalk } from '../operator/walk';
import type { HookLine } from './types';

interface Props {
  /** The path of the list. */
  path: string;
  /** Above the rows. */
  choices: ComponentChildren;
  selected: string | undefined;
  home: string;
  /** The address of a row. */
  at: (id: string) => string;
  /** Beside the rows. */
  children: ComponentChildren;
}

/** What a webhook was sent and is to be sent, the newest first. */
export function List({ path, choices, selected, home, at, children }: Props) {
  const words = webhooks();
  const { loaded, rows, isMore, isBusy, more } = useNewest<HookLine>({ path, name: 'hooks' });
  useWalk({ rows: rows.map(({ id }) => ({ id: String(id) })), selected, at, words: words.hooks });
  const problem = loaded.problem.value;
  return (
    <Split
      label={words.hooks.list}
      narrow={choices}
      isChosen={selected !== undefined}
      home={home}
      rows={
        <>
          {problem !== undefined && <ProblemNote problem={problem} retry={loaded.reload} />}
          {loaded.data.value === undefined && problem === undefined && <Skeleton />}
          {loaded.data.value !== undefined && rows.length === 0 && (
            <Empty title={words.hooks.empty}>
              <p>{words.hooks.emptyText}</p>
            </Empty>
          )}
          <ul>
            {rows.map((row) => (
              <li key={row.id}>
                <a class="line" href={at(String(row.id))} aria-current={String(row.id) === selected ? 'true' : undefined}>
                  <span>
                    <StateBadge state={row.state} />
                  </span>
                  {row.created_at !== null && (
                    <time dateTime={new Date(row.created_at * 1000).toISOString()} title={moment(row.created_at)}>
                      {recentMoment(row.created_at)}
                    </time>
                  )}
                  <span class="under">
                    {[row.event === null ? words.hooks.erased : words.codes[row.event], row.attempts > 1 ? callbacks().tries(row.attempts) : '']
                      .filter((it) => it !== '')
                      .join(' · ')}
                  </span>
                  {row.last_attempt !== null && row.state !== 'delivered' && (
                    <span class="under bad">
                      {answerOf(row.last_attempt)} · {meaningOf(row.last_attempt)}
                    </span>
                  )}
                </a>
              </li>
            ))}
          </ul>
          {isMore && (
            <Button busy={isBusy} onClick={more}>
              {shell().loadMore}
            </Button>
          )}
        </>
      }
    >
      {children}
    </Split>
  );
}
