import { listAsOperator } from '../../api/operator';
import { Badge } from '../../parts/badge';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { clients } from '../../words/clients';
import { namesOf } from '../operator/accounts';
import { Part } from '../operator/facts';
import { Listed } from '../operator/listed';
import { usePolled } from '../operator/polled';
import { Moment, Program } from '../operator/program';
import type { Account } from '../operator/types';
import type { TokenRequest } from './types';

/** How often new requests are looked for, in milliseconds. */
const EVERY = 2_000;

interface Props {
  path: string;
  accounts: readonly Account[];
}

/** The newest requests of a client for tokens: for people who ask why one was refused. */
export function TokenRequests({ path, accounts }: Props) {
  const words = clients().requests;
  const at = `${path}/token-requests`;
  const loaded = usePolled(at, EVERY, (signal) => listAsOperator<TokenRequest>(at, 'token_requests', signal));
  const all = loaded.data.value;
  return (
    <Part title={words.title}>
      <p class="soft">{words.text}</p>
      {loaded.problem.value !== undefined && <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />}
      {all === undefined && loaded.problem.value === undefined && <Skeleton rows={2} />}
      {all?.length === 0 && <p class="soft">{words.none}</p>}
      {all !== undefined && all.length > 0 && (
        <Listed name="token-requests" columns={[words.time, words.program, words.outcome]}>
          {all.map((request, place) => (
            // The list grows at its top: a place counted from its end stays.
            <tr key={all.length - place}>
              <th scope="row">
                <div class="caller">
                  <Moment at={request.at} />
                  <code>{request.grant_type}</code>
                </div>
              </th>
              <td data-label={words.program}>
                <div class="caller">
                  <Program agent={request.user_agent} />
                  <code>{request.address}</code>
                </div>
              </td>
              <td data-label={words.outcome}>
                <Outcome request={request} accounts={accounts} />
              </td>
            </tr>
          ))}
        </Listed>
      )}
    </Part>
  );
}

function Outcome({ request, accounts }: { request: TokenRequest; accounts: readonly Account[] }) {
  const words = clients().requests;
  const isRefused = request.hint !== null;
  return (
    <div class="caller">
      <span>
        <Badge tone={isRefused ? 'bad' : 'good'} icon={isRefused ? 'warning' : 'check'}>
          {isRefused ? words.refused : words.issued}
        </Badge>
      </span>
      {request.account_id !== null && <span>{namesOf([request.account_id], accounts)}</span>}
      {request.hint !== null && (
        <p class="hint-text" lang="en">
          {request.hint}
        </p>
      )}
    </div>
  );
}
