import { listAsOperator } from '../../api/operator';
import { Empty } from '../../parts/empty';
import { useLoad } from '../../parts/load';
import { OperatorGate } from '../../parts/operator-gate';
import { Page } from '../../parts/page';
import { ProblemNote } from '../../parts/problem';
import { open } from '../../router';
import { webhooks as dictionary } from '../../words/webhooks';
import { hostOf } from '../oauth/client';
import { accounts } from '../operator/channels';
import { HookView } from './hook';
import { List } from './list';
import type { Webhook } from './types';

interface Props {
  account?: string | undefined;
  webhook?: string | undefined;
  id?: string | undefined;
}

export function HooksPage(place: Props) {
  return <OperatorGate title={dictionary().hooks.title}>{() => <Hooks {...place} />}</OperatorGate>;
}

const at = (...parts: readonly (string | number)[]): string => ['/hooks', ...parts.map((part) => encodeURIComponent(part))].join('/');

/** What the webhooks of an account were sent: the webhook, and the hook that the address names. */
function Hooks({ account, webhook, id }: Props) {
  const words = dictionary().hooks;
  const people = useLoad('accounts', accounts);
  const chosen = account ?? people.data.value?.[0]?.id;
  const path = chosen === undefined ? undefined : `/admin/v1/accounts/${encodeURIComponent(chosen)}/webhooks`;
  const loaded = useLoad(path ?? '', (signal) => (path === undefined ? Promise.resolve([]) : listAsOperator<Webhook>(path, 'webhooks', signal)));
  const all = loaded.data.value;
  const selected = all?.find((it) => (webhook === undefined ? true : String(it.id) === webhook));
  const problem = people.problem.value ?? loaded.problem.value;
  const choices = (
    <>
      <select aria-label={words.account} value={chosen ?? ''} onChange={(event) => open(at(event.currentTarget.value))}>
        {people.data.value?.map((it) => (
          <option key={it.id} value={it.id}>
            {it.name}
          </option>
        ))}
      </select>
      {all !== undefined && all.length > 0 && chosen !== undefined && (
        <select
          aria-label={words.webhook}
          value={String(selected?.id ?? '')}
          onChange={(event) => open(at(chosen, event.currentTarget.value))}
        >
          {all.map((it) => (
            <option key={it.id} value={String(it.id)}>
              {`${it.id}: ${hostOf(it.destination)}`}
            </option>
          ))}
        </select>
      )}
    </>
  );
  return (
    <Page title={words.title} fills={selected !== undefined}>
      {problem !== undefined && <ProblemNote problem={problem} retry={loaded.reload} />}
      {selected === undefined || chosen === undefined || path === undefined ? (
        <>
          <div class="narrow">{choices}</div>
          {all !== undefined && <Empty title={webhook === undefined ? words.noWebhooks : dictionary().missing} />}
        </>
      ) : (
        <List
          key={`${chosen} ${selected.id}`}
          path={`${path}/${selected.id}/hooks`}
          choices={choices}
          selected={id}
          home={at(chosen, selected.id)}
          at={(hook) => at(chosen, selected.id, hook)}
        >
          {id === undefined ? (
            <Empty title={words.choose} />
          ) : (
            <HookView key={id} path={`${path}/${selected.id}/hooks/${encodeURIComponent(id)}`} />
          )}
        </List>
      )}
    </Page>
  );
}
