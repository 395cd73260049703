import { useSignal } from '@preact/signals';
import { askAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Copy } from '../../parts/copy';
import { useLoad } from '../../parts/load';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { useWork } from '../../parts/work';
import { channels } from '../../words/channels';
import { operator } from '../../words/operator';
import { shell } from '../../words/shell';
import { Part } from '../operator/facts';
import type { Account, Connection } from '../operator/types';
import './connections.css';

interface Page {
  connections: Connection[];
  next: string | null;
}

/** The accounts that are connected to a channel, what they are called there, and the end of a connection. */
export function Connections({ path, accounts }: { path: string; accounts: readonly Account[] }) {
  const words = channels().connections;
  const at = `${path}/connections`;
  const loaded = useLoad(at, (signal) => askAsOperator<Page>(at, { signal }));
  /** The account whose connection somebody wished to end. */
  const ending = useSignal<string | undefined>(undefined);
  const task = useWork();
  const page = loaded.data.value;
  const more = (): Promise<void> =>
    task.run(async () => {
      const behind = await askAsOperator<Page>(at, { query: { cursor: page?.next ?? undefined } });
      loaded.data.value = { connections: [...(page?.connections ?? []), ...behind.connections], next: behind.next };
    });
  const end = (account: string): Promise<void> =>
    task.run(async () => {
      await askAsOperator<void>(`${at}/${encodeURIComponent(account)}`, { method: 'DELETE' });
      ending.value = undefined;
      const { connections = [], next = null } = loaded.data.peek() ?? {};
      loaded.data.value = { connections: connections.filter((it) => it.account_id !== account), next };
    });
  return (
    <Part title={words.title}>
      {loaded.problem.value !== undefined && <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />}
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      {page === undefined && loaded.problem.value === undefined && <Skeleton />}
      {page?.connections.length === 0 && <p class="soft">{words.none}</p>}
      {page !== undefined && page.connections.length > 0 && (
        <div class="scrolls" tabIndex={0}>
          <table class="connections">
            <thead>
              <tr>
                <th scope="col">{operator().account}</th>
                <th scope="col">{words.connection}</th>
                <th scope="col">{words.version}</th>
                <th scope="col">{operator().scope}</th>
                <th scope="col">
                  <span class="unseen">{words.end}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {page.connections.map(({ account_id: account, scope_id: scope, title, hook_api_version: version }) => (
                <tr key={account}>
                  <th scope="row">{accounts.find(({ id }) => id === account)?.name ?? account}</th>
                  <td dir="auto">{title}</td>
                  <td>{version}</td>
                  <td>
                    <span class="copied">
                      <code>{scope}</code>
                      <Copy text={scope} of={operator().scope} />
                    </span>
                  </td>
                  <td>
                    {ending.value === account ? (
                      <Button look="danger" icon="trash" busy={task.busy} onClick={() => void end(account)}>
                        {words.endSure}
                      </Button>
                    ) : (
                      <Button icon="stopped" onClick={() => (ending.value = account)}>
                        {words.end}
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {ending.value !== undefined && (
        <p class="note warn" role="status">
          {words.endText}
        </p>
      )}
      {page?.next != null && (
        <Button busy={task.busy} onClick={() => void more()}>
          {shell().loadMore}
        </Button>
      )}
    </Part>
  );
}
