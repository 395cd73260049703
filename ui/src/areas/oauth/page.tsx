import { isAdministrator } from '../../api/session';
import { useBook } from '../../api/book';
import { Badge } from '../../parts/badge';
import { Empty } from '../../parts/empty';
import { Page } from '../../parts/page';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { oauth } from '../../words/oauth';
import { usePolled } from '../operator/polled';
import { Split } from '../operator/split';
import { hostOf, integrations } from './client';
import { IntegrationView } from './integration';
import type { Integration } from './types';

/** How often the tokens are looked at, in milliseconds: programs use them all the time. */
const EVERY = 5_000;

export function IntegrationsPage({ id }: { id?: string | undefined }) {
  const words = oauth().integrations;
  if (isAdministrator.value) return <Integrations id={id} />;
  return (
    <Page title={words.title}>
      <Empty title={words.administrators}>
        <p>{words.administratorsText}</p>
      </Empty>
    </Page>
  );
}

/** What is installed comes first. */
const sorted = (all: readonly Integration[]): Integration[] =>
  [...all].sort(
    (one, other) => Number(one.grant === null) - Number(other.grant === null) || one.name.localeCompare(other.name),
  );

/** The OAuth clients that the account may install, and the one that the address names. */
function Integrations({ id }: { id: string | undefined }) {
  const words = oauth().integrations;
  useBook();
  const loaded = usePolled('integrations', EVERY, integrations);
  const all = loaded.data.value;
  const chosen = all?.find((client) => client.id === id);
  return (
    <Page title={words.title} about={chosen?.name} fills>
      <Split
        label={words.list}
        narrow={<p class="soft">{words.text}</p>}
        isChosen={id !== undefined}
        home="/integrations"
        rows={
          <>
            {loaded.problem.value !== undefined && <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />}
            {all === undefined && loaded.problem.value === undefined && <Skeleton />}
            {all?.length === 0 && (
              <Empty title={words.empty}>
                <p>{words.emptyText}</p>
              </Empty>
            )}
            <ul>
              {sorted(all ?? []).map((client) => (
                <li key={client.id}>
                  <a
                    class="line"
                    href={`/integrations/${encodeURIComponent(client.id)}`}
                    aria-current={client.id === id ? 'true' : undefined}
                  >
                    <span>{client.name}</span>
                    {client.grant !== null && (
                      <Badge tone="good" icon="check">
                        {words.installed}
                      </Badge>
                    )}
                    <span class="under">{hostOf(client.redirect_uri)}</span>
                  </a>
                </li>
              ))}
            </ul>
          </>
        }
      >
        {id === undefined && all?.length !== 0 && <Empty title={words.choose} />}
        {id !== undefined && all !== undefined && chosen === undefined && <Empty title={words.missing} />}
        {chosen !== undefined && <IntegrationView key={chosen.id} client={chosen} onChange={loaded.reload} />}
      </Split>
    </Page>
  );
}
