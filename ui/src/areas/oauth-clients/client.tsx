import { useSignal } from '@preact/signals';
import { askAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { clients } from '../../words/clients';
import { operator } from '../../words/operator';
import { namesOf } from '../operator/accounts';
import { nameOf } from '../operator/channels';
import { Fact, Facts } from '../operator/facts';
import type { Account, Channel } from '../operator/types';
import { Editor } from './editor';
import { Grants } from './grants';
import { TokenRequests } from './token-requests';
import type { Client } from './types';

const SCOPES = ['list_external_messages', 'send_external_messages'] as const;

interface Props {
  client: Client;
  path: string;
  accounts: readonly Account[];
  channels: readonly Channel[];
  /** It is different now; a secret that was just made is to be shown. */
  onChange: (client: Client) => void;
}

/** One OAuth client: what it is, who installed it, and what became of its requests for tokens. */
export function ClientView({ client, path, accounts, channels, onChange }: Props) {
  const words = clients();
  const editing = useSignal(false);
  const rotating = useSignal(false);
  const save = async (fields: object): Promise<void> => {
    onChange(await askAsOperator<Client>(path, { method: 'PATCH', body: fields }));
    editing.value = false;
  };
  const rotate = async (): Promise<void> => {
    const made = await askAsOperator<Client>(`${path}/rotate-secret`, { method: 'POST', body: {} });
    rotating.value = false;
    onChange(made);
  };
  const scopes = SCOPES.filter((scope) => client[scope]);
  const consent = `${location.origin}/oauth?client_id=${encodeURIComponent(client.id)}`;
  return (
    <article>
      <header class="head">
        <h2>{client.name}</h2>
        <div class="buttons">
          <Button icon="edit" onClick={() => (editing.value = true)}>
            {words.edit}
          </Button>
          <Button icon="retry" onClick={() => (rotating.value = true)}>
            {words.secret.rotate}
          </Button>
        </div>
      </header>
      <Facts>
        <Fact name={words.id} copy={client.id}>
          <code>{client.id}</code>
        </Fact>
        <Fact name={words.secret.fingerprint} copy={client.secret_fingerprint}>
          <code>{client.secret_fingerprint}</code>
        </Fact>
        <Fact name={words.redirect} copy={client.redirect_uri}>
          {client.redirect_uri}
        </Fact>
        <Fact name={words.consent} copy={consent}>
          {consent}
        </Fact>
        <Fact name={words.hook} copy={client.uninstall_hook ?? undefined}>
          {client.uninstall_hook ?? words.noHook}
        </Fact>
        <Fact name={operator().channel}>
          {client.channel === null ? (
            words.noChannel
          ) : (
            <a href={`/channels/${encodeURIComponent(client.channel)}`}>{nameOf(channels, client.channel)}</a>
          )}
        </Fact>
        <Fact name={operator().accounts}>{namesOf(client.accounts, accounts)}</Fact>
        <Fact name={words.scopes}>
          {scopes.length === 0 ? words.noScopes : scopes.map((scope) => <code key={scope}>{scope} </code>)}
        </Fact>
      </Facts>
      <Grants path={path} accounts={accounts} />
      <TokenRequests path={path} accounts={accounts} />
      {editing.value && (
        <Editor
          title={words.edit}
          client={client}
          accounts={accounts}
          channels={channels}
          onSave={save}
          onClose={() => (editing.value = false)}
        />
      )}
      {rotating.value && (
        <Confirm
          title={words.secret.rotate}
          text={words.secret.rotateText}
          action={words.secret.rotate}
          icon="retry"
          onConfirm={rotate}
          onClose={() => (rotating.value = false)}
        />
      )}
    </article>
  );
}
