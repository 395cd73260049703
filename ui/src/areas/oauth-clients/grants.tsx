import { useSignal } from '@preact/signals';
import { askAsOperator, listAsOperator } from '../../api/operator';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { useLoad } from '../../parts/load';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { clients } from '../../words/clients';
import { day, number } from '../../words/language';
import { operator } from '../../words/operator';
import { namesOf } from '../operator/accounts';
import { type AdmittedPage, AdmittedUsers } from '../operator/admitted';
import { Part } from '../operator/facts';
import { Listed } from '../operator/listed';
import type { Account } from '../operator/types';
import type { AccountGrant } from './types';

/** The accounts that installed a client, and the end of that. */
export function Grants({ path, accounts }: { path: string; accounts: readonly Account[] }) {
  const words = clients().grants;
  const at = `${path}/grants`;
  const loaded = useLoad(at, (signal) => listAsOperator<AccountGrant>(at, 'grants', signal));
  /** The account from which the client is to be uninstalled. */
  const ending = useSignal<string | undefined>(undefined);
  /** The account from which it was uninstalled last. */
  const ended = useSignal<string | undefined>(undefined);
  const all = loaded.data.value;
  const named = (id: string): string => namesOf([id], accounts);
  const end = async (account: string): Promise<void> => {
    await askAsOperator<AdmittedPage>(`${at}/${encodeURIComponent(account)}`, { method: 'DELETE' });
    ending.value = undefined;
    ended.value = account;
    loaded.data.value = (loaded.data.peek() ?? []).filter((grant) => grant.account_id !== account);
  };
  return (
    <Part title={words.title}>
      {loaded.problem.value !== undefined && <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />}
      {all === undefined && loaded.problem.value === undefined && <Skeleton rows={2} />}
      {all?.length === 0 && <p class="soft">{words.none}</p>}
      {all !== undefined && all.length > 0 && (
        <Listed name="installed-in" columns={[operator().account, words.since, words.tokens]} action={words.uninstall}>
          {all.map((grant) => (
            <tr key={grant.account_id}>
              <th scope="row">
                <div class="caller">
                  <bdi>{named(grant.account_id)}</bdi>
                  {grant.user_id !== null && <span class="soft">{words.user(grant.user_id)}</span>}
                </div>
              </th>
              <td data-label={words.since}>{day(grant.since)}</td>
              <td data-label={words.tokens}>{number(grant.long_lived_tokens.length)}</td>
              <td>
                <Button icon="trash" onClick={() => (ending.value = grant.account_id)}>
                  {words.uninstall}
                </Button>
              </td>
            </tr>
          ))}
        </Listed>
      )}
      {ended.value !== undefined && <Left at={`${at}/${encodeURIComponent(ended.value)}/users`} />}
      {ending.value !== undefined && (
        <Confirm
          title={words.uninstallTitle(named(ending.value))}
          text={words.uninstallText}
          action={words.uninstall}
          icon="trash"
          onConfirm={() => end(ending.value ?? '')}
          onClose={() => (ending.value = undefined)}
        />
      )}
    </Part>
  );
}

/** The users who stay in the account from which the client was uninstalled. */
function Left({ at }: { at: string }) {
  const loaded = useLoad(at, (signal) => askAsOperator<AdmittedPage>(at, { query: { limit: 250 }, signal }));
  return <AdmittedUsers loaded={loaded} />;
}
