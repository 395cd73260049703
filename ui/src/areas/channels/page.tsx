import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { askAsOperator } from '../../api/operator';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Kind } from '../../parts/kind';
import { useLoad } from '../../parts/load';
import { OperatorGate } from '../../parts/operator-gate';
import { Page } from '../../parts/page';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { open, redirect } from '../../router';
import { channels as dictionary } from '../../words/channels';
import { accounts, channels } from '../operator/channels';
import { put } from '../operator/put';
import { Split } from '../operator/split';
import type { Channel } from '../operator/types';
import { ChannelView } from './channel';
import { Editor } from './editor';
import { Secret } from './secret';

export function ChannelsPage({ id }: { id?: string | undefined }) {
  return <OperatorGate title={dictionary().title}>{() => <Channels id={id} />}</OperatorGate>;
}

/** All channels, and the one that the address names. */
function Channels({ id }: { id: string | undefined }) {
  const words = dictionary();
  const loaded = useLoad('channels', channels);
  const people = useLoad('accounts', accounts).data.value ?? [];
  const registering = useSignal(false);
  /** The channel whose secret was just made: there is no other moment to see it. */
  const made = useSignal<Channel | undefined>(undefined);
  const all = loaded.data.value;
  const chosen = all?.find((channel) => channel.id === id);
  // Nothing is to be chosen where there is one.
  const only = id === undefined && all?.length === 1 ? all[0] : undefined;
  useEffect(() => {
    if (only !== undefined && matchMedia('(width > 60rem)').matches) redirect(`/channels/${encodeURIComponent(only.id)}`);
  }, [only?.id]);
  const change = (channel: Channel): void => put(loaded, channel);
  const register = async (fields: object): Promise<void> => {
    const channel = await askAsOperator<Channel>('/admin/v1/channels', { method: 'POST', body: fields });
    registering.value = false;
    change(channel);
    made.value = channel;
    open(`/channels/${encodeURIComponent(channel.id)}`);
  };
  return (
    <Page
      title={words.title}
      fills
      actions={
        <Button look="primary" icon="plus" onClick={() => (registering.value = true)}>
          {words.register}
        </Button>
      }
    >
      <Split
        label={words.list}
        narrow={<p class="soft">{words.text}</p>}
        isChosen={id !== undefined}
        home="/channels"
        rows={
          <>
            {loaded.problem.value !== undefined && <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />}
            {all === undefined && loaded.problem.value === undefined && <Skeleton />}
            {all?.length === 0 && <Empty title={words.empty} command="channel create tg-bot" />}
            <ul>
              {all?.map((channel) => (
                <li key={channel.id}>
                  <a
                    class="line"
                    href={`/channels/${encodeURIComponent(channel.id)}`}
                    aria-current={channel.id === id ? 'true' : undefined}
                  >
                    <span>
                      <Kind kind={channel.kind} />
                      {channel.name}
                    </span>
                    <Standing channel={channel} />
                    <span class="under">{channel.webhook_v2 ?? channel.webhook_v1 ?? words.noAddress}</span>
                  </a>
                </li>
              ))}
            </ul>
          </>
        }
      >
        {id === undefined && <Empty title={words.choose} />}
        {id !== undefined && all !== undefined && chosen === undefined && <Empty title={words.missing} />}
        {chosen !== undefined && (
          <ChannelView key={chosen.id} channel={chosen} accounts={people} onChange={change} onSecret={(it) => (made.value = it)} />
        )}
      </Split>
      {registering.value && (
        <Editor title={words.register} accounts={people} onSave={register} onClose={() => (registering.value = false)} />
      )}
      {made.value !== undefined && <Secret channel={made.value} accounts={people} onClose={() => (made.value = undefined)} />}
    </Page>
  );
}

function Standing({ channel }: { channel: Channel }) {
  const words = dictionary();
  if (channel.paused) {
    return (
      <Badge tone="warn" icon="paused">
        {words.paused}
      </Badge>
    );
  }
  return channel.rotation === null ? null : (
    <Badge tone="info" icon="retry">
      {words.rotating}
    </Badge>
  );
}
