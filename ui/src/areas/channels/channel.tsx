import { useSignal } from '@preact/signals';
import { askAsOperator } from '../../api/operator';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { Kind, kindName } from '../../parts/kind';
import { Outside } from '../../parts/outside';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { channels } from '../../words/channels';
import { moment } from '../../words/language';
import { operator } from '../../words/operator';
import { namesOf } from '../operator/accounts';
import { Fact, Facts, Part } from '../operator/facts';
import { OutcomeNote } from '../operator/outcome';
import type { Account, Channel, Outcome } from '../operator/types';
import { Connections } from './connections';
import { Editor } from './editor';
import { Environment } from './environment';
import { Rotation } from './rotation';

interface Props {
  channel: Channel;
  accounts: readonly Account[];
  onChange: (channel: Channel) => void;
  /** A new secret, to be shown once. */
  onSecret: (channel: Channel) => void;
}

/** One channel: where its callbacks go, what they are signed with, and whether they go. */
export function ChannelView({ channel, accounts, onChange, onSecret }: Props) {
  const words = channels();
  const path = `/admin/v1/channels/${encodeURIComponent(channel.id)}`;
  const editing = useSignal(false);
  const shown = [channel.buttons ? words.buttons : '', channel.lists ? words.lists : ''].filter((name) => name !== '');
  const task = useWork();
  const pause = (): Promise<void> =>
    task.run(async () => {
      onChange(await askAsOperator<Channel>(`${path}/${channel.paused ? 'resume' : 'pause'}`, { method: 'POST', body: {} }));
    });
  const save = async (fields: object): Promise<void> => {
    onChange(await askAsOperator<Channel>(path, { method: 'PATCH', body: fields }));
    editing.value = false;
  };
  return (
    <article>
      <header class="head">
        <h2>{channel.name}</h2>
        <div class="buttons">
          <Button icon="edit" onClick={() => (editing.value = true)}>
            {words.edit}
          </Button>
          <Button icon={channel.paused ? 'send' : 'paused'} busy={task.busy} onClick={() => void pause()}>
            {channel.paused ? words.resume : words.pause}
          </Button>
        </div>
      </header>
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      {channel.paused && (
        <p class="note warn" role="status">
          <Badge tone="warn" icon="paused">
            {words.pausedSince(moment(channel.paused_at ?? 0))}
          </Badge>
        </p>
      )}
      <Facts>
        <Fact name={words.id} copy={channel.id}>
          <code>{channel.id}</code>
        </Fact>
        <Fact name={words.kind}>
          <Kind kind={channel.kind} />
          {kindName(channel.kind)}
        </Fact>
        <Fact name={words.page} copy={channel.page ?? undefined}>
          {channel.page === null ? words.noPage : <Outside to={channel.page}>{channel.page}</Outside>}
        </Fact>
        <Fact name={words.address('v1')} copy={channel.webhook_v1 ?? undefined}>
          {channel.webhook_v1 ?? words.noAddress}
        </Fact>
        <Fact name={words.address('v2')} copy={channel.webhook_v2 ?? undefined}>
          {channel.webhook_v2 ?? words.noAddress}
        </Fact>
        <Fact name={operator().accounts}>{namesOf(channel.accounts, accounts)}</Fact>
        <Fact name={words.timeout}>{channel.timeout_seconds === null ? words.usual : `${channel.timeout_seconds} s`}</Fact>
        <Fact name={words.shows}>{shown.join(', ') || words.onlyText}</Fact>
        <Fact name={words.window}>{channel.window_hours ?? words.noWindow}</Fact>
        <Fact name={words.assignment}>{channel.auto_assign ? words.assignsUpTo(channel.assignment_limit) : words.assignsNone}</Fact>
        {channel.generation !== undefined && <Fact name={words.generation}>{channel.generation ?? words.anyGeneration}</Fact>}
        <Fact name={words.more}>
          <a href={`/callbacks?channel=${encodeURIComponent(channel.id)}`}>{words.callbacks}</a> ·{' '}
          <a href={`/requests?channel=${encodeURIComponent(channel.id)}`}>{words.requests}</a>
        </Fact>
      </Facts>
      <Connections path={path} accounts={accounts} />
      <Rotation channel={channel} path={path} onChange={onChange} onSecret={onSecret} />
      <Test path={path} accounts={accounts.filter(({ id }) => channel.accounts.includes('*') || channel.accounts.includes(id))} />
      <Environment channel={channel} accounts={accounts} />
      {editing.value && (
        <Editor title={words.edit} channel={channel} accounts={accounts} onSave={save} onClose={() => (editing.value = false)} />
      )}
    </article>
  );
}

/** One signed test callback, sent now, and what came of it. */
function Test({ path, accounts }: { path: string; accounts: readonly Account[] }) {
  const words = channels().test;
  const version = useSignal('');
  const account = useSignal('');
  const outcome = useSignal<Outcome | undefined>(undefined);
  const task = useWork();
  const send = (): Promise<void> =>
    task.run(async () => {
      const body = {
        ...(version.value === '' ? {} : { version: version.value }),
        ...(account.value === '' ? {} : { account_id: account.value }),
      };
      outcome.value = undefined;
      outcome.value = await askAsOperator<Outcome>(`${path}/test-send`, { method: 'POST', body });
    });
  return (
    <Part title={words.title}>
      <p class="soft">{words.text}</p>
      <div class="buttons">
        <select aria-label={words.version} value={version.value} onChange={(event) => (version.value = event.currentTarget.value)}>
          <option value="">{words.itsVersion}</option>
          <option value="v1">v1</option>
          <option value="v2">v2</option>
        </select>
        <select aria-label={operator().account} value={account.value} onChange={(event) => (account.value = event.currentTarget.value)}>
          <option value="">{words.anyAccount}</option>
          {accounts.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
        <Button icon="send" busy={task.busy} onClick={() => void send()}>
          {words.send}
        </Button>
      </div>
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      {outcome.value !== undefined && <OutcomeNote outcome={outcome.value} />}
    </Part>
  );
}
