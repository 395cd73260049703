import { useSignal } from '@preact/signals';
import { askAsOperator, listAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { useLoad } from '../../parts/load';
import { OperatorGate } from '../../parts/operator-gate';
import { Page } from '../../parts/page';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { open } from '../../router';
import { clients as dictionary } from '../../words/clients';
import { accounts, useChannels } from '../operator/channels';
import { Once } from '../operator/once';
import { put } from '../operator/put';
import { Split } from '../operator/split';
import { ClientView } from './client';
import { Editor } from './editor';
import type { Client } from './types';

const ALL = '/admin/v1/oauth-clients';

export function ClientsPage({ id }: { id?: string | undefined }) {
  return <OperatorGate title={dictionary().title}>{() => <Clients id={id} />}</OperatorGate>;
}

function clients(signal: AbortSignal): Promise<Client[]> {
  return listAsOperator(ALL, 'oauth_clients', signal);
}

const at = (id: string): string => `/oauth-clients/${encodeURIComponent(id)}`;

/** All OAuth clients, and the one that the address names. */
function Clients({ id }: { id: string | undefined }) {
  const words = dictionary();
  const loaded = useLoad('oauth-clients', clients);
  const people = useLoad('accounts', accounts).data.value ?? [];
  const channels = useChannels();
  const creating = useSignal(false);
  /** The client whose secret was just made: there is no other moment to see it. */
  const made = useSignal<Client | undefined>(undefined);
  const all = loaded.data.value;
  const chosen = all?.find((client) => client.id === id);
  const change = (client: Client): void => {
    put(loaded, client);
    if (client.secret !== undefined) made.value = client;
  };
  const create = async (fields: object): Promise<void> => {
    const client = await askAsOperator<Client>(ALL, { method: 'POST', body: fields });
    creating.value = false;
    change(client);
    open(at(client.id));
  };
  return (
    <Page
      title={words.title}
      about={chosen?.name}
      fills
      actions={
        <Button look="primary" icon="plus" onClick={() => (creating.value = true)}>
          {words.create}
        </Button>
      }
    >
      <Split
        label={words.list}
        narrow={<p class="soft">{words.text}</p>}
        isChosen={id !== undefined}
        home="/oauth-clients"
        rows={
          <>
            {loaded.problem.value !== undefined && <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />}
            {all === undefined && loaded.problem.value === undefined && <Skeleton />}
            {all?.length === 0 && (
              <Empty title={words.empty} command={'oauth-client create "My bridge" https://example.com/oauth/callback'} />
            )}
            <ul>
              {all?.map((client) => (
                <li key={client.id}>
                  <a class="line" href={at(client.id)} aria-current={client.id === id ? 'true' : undefined}>
                    <span>{client.name}</span>
                    <span class="under">{client.redirect_uri}</span>
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
          <ClientView
            key={chosen.id}
            client={chosen}
            path={`${ALL}/${encodeURIComponent(chosen.id)}`}
            accounts={people}
            channels={channels}
            onChange={change}
          />
        )}
      </Split>
      {creating.value && (
        <Editor title={words.create} accounts={people} channels={channels} onSave={create} onClose={() => (creating.value = false)} />
      )}
      {made.value !== undefined && (
        <Once
          title={words.secret.made(made.value.name)}
          text={words.secret.once}
          name={words.secret.secret}
          secret={made.value.secret}
          kept={words.secret.kept}
          onClose={() => (made.value = undefined)}
        />
      )}
    </Page>
  );
}
