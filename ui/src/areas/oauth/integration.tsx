import { useSignal } from '@preact/signals';
import { ask } from '../../api/client';
import { userName } from '../../api/book';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { useLoad } from '../../parts/load';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { oauth } from '../../words/oauth';
import { type AdmittedPage, AdmittedUsers } from '../operator/admitted';
import { Fact, Facts } from '../operator/facts';
import { Moment } from '../operator/program';
import { decide, pathOf } from './client';
import { History } from './history';
import { LongLivedTokens } from './tokens';
import type { Integration } from './types';

interface Props {
  client: Integration;
  /** Something of it is different now. */
  onChange: () => void;
}

/** One integration: whether it is installed, its tokens, and what became of them. */
export function IntegrationView({ client, onChange }: Props) {
  const words = oauth().integrations;
  const { grant } = client;
  const scopes = grant?.scopes ?? client.scopes;
  const removing = useSignal(false);
  const task = useWork();
  const install = (): Promise<void> =>
    task.run(async () => {
      window.location.assign(await decide(client.id, { grant: true, scopes: client.scopes, from_widget: true }));
    });
  const uninstall = async (): Promise<void> => {
    await ask<AdmittedPage>(`${pathOf(client.id)}/grant`, { method: 'DELETE' });
    removing.value = false;
    onChange();
  };
  return (
    <article>
      <header class="head">
        <h2>{client.name}</h2>
        <div class="buttons">
          {grant === null ? (
            <Button look="primary" icon="plug" busy={task.busy} onClick={() => void install()}>
              {words.install}
            </Button>
          ) : (
            <Button icon="trash" onClick={() => (removing.value = true)}>
              {words.uninstall}
            </Button>
          )}
        </div>
      </header>
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      <Facts>
        <Fact name={words.id} copy={client.id}>
          <code>{client.id}</code>
        </Fact>
        <Fact name={words.redirect}>{client.redirect_uri}</Fact>
        <Fact name={words.since}>{grant === null ? words.notInstalled : <Moment at={grant.since} />}</Fact>
        <Fact name={grant === null ? words.asks : words.granted}>
          {scopes.length === 0 ? words.noScopes : scopes.map((scope) => <div key={scope}>{oauth().scopes[scope]}</div>)}
        </Fact>
        {grant !== null && <Fact name={words.by}>{userName(grant.user_id)}</Fact>}
      </Facts>
      {grant === null && client.admitted_users > 0 && <Left client={client} />}
      {grant === null && <p class="note">{words.installText}</p>}
      <LongLivedTokens client={client} onChange={onChange} />
      {grant !== null && <History grant={grant} />}
      {removing.value && (
        <Confirm
          title={words.uninstallTitle(client.name)}
          text={words.uninstallText}
          action={words.uninstall}
          icon="trash"
          onConfirm={uninstall}
          onClose={() => (removing.value = false)}
        />
      )}
    </article>
  );
}

/** The users who stay of a client that is not installed any more. */
function Left({ client }: { client: Integration }) {
  const at = `${pathOf(client.id)}/users`;
  const loaded = useLoad(`${at} ${client.admitted_users}`, (signal) => ask<AdmittedPage>(at, { query: { limit: 250 }, signal }));
  return <AdmittedUsers loaded={loaded} pageOf={(id) => `/users/${id}`} />;
}
