import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Button } from '../../parts/button';
import { Choices } from '../../parts/choices';
import { Empty } from '../../parts/empty';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { narrow, open, place } from '../../router';
import { callbacks } from '../../words/callbacks';
import { isVisible } from '../../parts/visible';
import { moment, recentMoment } from '../../words/language';
import { shell } from '../../words/shell';
import { ChannelChoice, nameOf } from '../operator/channels';
import { Split } from '../operator/split';
import { type Channel, type DeliveryLine, GROUPS } from '../operator/types';
import { useWalk } from '../operator/walk';
import { useNewest } from './newest';
import { StateBadge, answerOf, meaningOf } from './state';

interface Props {
  selected: string | undefined;
  channels: readonly Channel[];
  /** Beside the rows. */
  children: ComponentChildren;
}

/** What was sent and what is to be sent, the newest first, by group, channel and conversation. */
export function List({ selected, channels, children }: Props) {
  const words = callbacks();
  const { query } = place.value;
  const wanted = {
    group: query.get('group') ?? '',
    channel_id: query.get('channel') ?? '',
    conversation_id: query.get('conversation') ?? '',
  };
  const { loaded, rows: all, isMore, isBusy, more } = useNewest<DeliveryLine>({ path: '/admin/v1/deliveries', name: 'deliveries', query: wanted });
  const at = (id: string): string => `/callbacks/${encodeURIComponent(id)}${location.search}`;
  useWalk({ rows: all, selected, at, words });
  const problem = loaded.problem.value;
  const isNarrowed = Object.values(wanted).some((value) => value !== '');
  const filters = (
    <>
      <Choices
        label={words.state}
        value={wanted.group}
        options={[{ value: '', says: words.all }, ...GROUPS.map((value) => ({ value, says: words.groups[value] }))]}
        onChoose={(group) => narrow({ group })}
      />
      <ChannelChoice all={channels} value={wanted.channel_id} onChoose={(channel) => narrow({ channel })} />
      <Find conversation={wanted.conversation_id} />
    </>
  );
  return (
    <Split
      label={words.list}
      narrow={filters}
      isChosen={selected !== undefined}
      home="/callbacks"
      rows={
        <>
          {problem !== undefined && <ProblemNote problem={problem} retry={loaded.reload} />}
          {loaded.data.value === undefined && problem === undefined && <Skeleton />}
          {loaded.data.value !== undefined && all.length === 0 && (
            <Empty title={isNarrowed ? words.nothing : words.empty} command={isNarrowed ? undefined : 'reply "Hello"'}>
              {isNarrowed ? (
                <Button onClick={() => narrow({ group: null, channel: null, conversation: null })}>{shell().clear}</Button>
              ) : (
                <p>{words.emptyText}</p>
              )}
            </Empty>
          )}
          <ul>
            {all.map((row) => (
              <li key={row.id}>
                <a class="line" href={at(row.id)} aria-current={row.id === selected ? 'true' : undefined}>
                  <span>
                    <StateBadge state={row.state} /> <bdi>{isVisible(row.customer) ? row.customer : words.types[row.type]}</bdi>
                  </span>
                  <time dateTime={new Date(row.written_at * 1000).toISOString()} title={moment(row.written_at)}>
                    {recentMoment(row.written_at)}
                  </time>
                  <span class="under">
                    {[
                      isVisible(row.customer) ? words.types[row.type] : '',
                      nameOf(channels, row.channel_id),
                      row.attempts > 1 ? words.tries(row.attempts) : '',
                    ]
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

/** An older one that was delivered is in no list: its id finds it. The id of a conversation narrows the list. */
function Find({ conversation }: { conversation: string }) {
  const words = callbacks();
  const text = useSignal('');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        const id = text.value.trim();
        if (id !== '') open(`/callbacks/${encodeURIComponent(id)}${location.search}`);
        text.value = '';
      }}
    >
      <input
        class="mono"
        aria-label={words.find}
        placeholder={words.find}
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
        }}
      />
      {conversation !== '' && (
        <p class="soft">
          {words.ofConversation} <code>{conversation}</code>{' '}
          <Button look="quiet" icon="close" label={words.allConversations} onClick={() => narrow({ conversation: null })} />
        </p>
      )}
    </form>
  );
}
