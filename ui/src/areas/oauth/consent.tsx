import { useSignal } from '@preact/signals';
import { ask, type Problem } from '../../api/client';
import { isAdministrator, me } from '../../api/session';
import { Button } from '../../parts/button';
import { useLoad } from '../../parts/load';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { useWork } from '../../parts/work';
import { place } from '../../router';
import { oauth } from '../../words/oauth';
import { Fact, Facts } from '../operator/facts';
import { Card, Refused } from './card';
import { decide, hostOf, pathOf } from './client';
import { leave } from './leave';
import type { Integration } from './types';

/** What refuses a request for consent for good: another attempt gets the same answer. */
const FINAL = [400, 403, 404];

/** The page on which an administrator allows a client to use the account. Other sites lead here. */
export function ConsentPage() {
  const words = oauth().consent;
  const id = place.value.query.get('client_id') ?? '';
  if (id === '') {
    return (
      <Card>
        <Refused>{words.noClient}</Refused>
      </Card>
    );
  }
  if (!isAdministrator.value) {
    return (
      <Card>
        <p>{words.administrators}</p>
      </Card>
    );
  }
  return <Request id={id} />;
}

/** What a client asks for, checked by the service. */
function Request({ id }: { id: string }) {
  const { query } = place.value;
  // An empty parameter is none.
  const given = (name: string): string | undefined => query.get(name) || undefined;
  const redirect = given('redirect_uri');
  const loaded = useLoad(`${id} ${redirect ?? ''}`, (signal) =>
    ask<Integration>(pathOf(id), { query: { redirect_uri: redirect }, signal }),
  );
  const task = useWork();
  /** Whether the window is no longer needed; undefined as long as nothing is decided. */
  const left = useSignal<boolean | undefined>(undefined);
  const client = loaded.data.value;
  const choose = (grant: boolean): Promise<void> =>
    task.run(async () => {
      const [state, challenge, method] = ['state', 'code_challenge', 'code_challenge_method'].map(given);
      const location = await decide(id, {
        grant,
        ...(client === undefined ? {} : { scopes: client.scopes }),
        ...(redirect === undefined ? {} : { redirect_uri: redirect }),
        ...(state === undefined ? {} : { state }),
        ...(challenge === undefined ? {} : { code_challenge: challenge }),
        ...(method === undefined ? {} : { code_challenge_method: method }),
      });
      left.value = leave(location, given('mode') ?? null);
    });
  const words = oauth().consent;
  const problem = loaded.problem.value;
  return (
    <Card title={client === undefined ? undefined : words.title(client.name)}>
      {problem !== undefined && <Trouble problem={problem} retry={loaded.reload} />}
      {client === undefined && problem === undefined && <Skeleton rows={4} />}
      {client !== undefined && left.value === undefined && (
        <>
          <Facts>
            <Fact name={words.account}>
              <bdi>{me.value?.account?.name}</bdi>
            </Fact>
            <Fact name={words.user}>
              <bdi>{me.value?.user.name}</bdi> <span class="soft">{me.value?.user.email}</span>
            </Fact>
            <Fact name={words.next}>
              <strong>{hostOf(client.redirect_uri)}</strong>
            </Fact>
          </Facts>
          <section aria-label={words.can}>
            <h2>{words.can}</h2>
            <ul>
              {[...words.rights, ...client.scopes.map((scope) => oauth().scopes[scope])].map((right) => (
                <li key={right}>{right}</li>
              ))}
            </ul>
            <p class="soft">{words.cannot}</p>
          </section>
          {task.problem !== undefined && <ProblemNote problem={task.problem} />}
          <div class="buttons">
            <Button look="primary" icon="check" busy={task.busy} onClick={() => void choose(true)}>
              {words.allow}
            </Button>
            <Button icon="close" busy={task.busy} onClick={() => void choose(false)}>
              {words.deny}
            </Button>
          </div>
        </>
      )}
      {client !== undefined && left.value !== undefined && (
        <p role="status">{left.value ? words.close : words.leaving(hostOf(client.redirect_uri))}</p>
      )}
    </Card>
  );
}

/** Why there is nothing to decide. */
function Trouble({ problem, retry }: { problem: Problem; retry: () => void }) {
  if (!FINAL.includes(problem.status)) return <ProblemNote problem={problem} retry={retry} />;
  return (
    <Refused>
      <span lang="en">{problem.detail}</span>
    </Refused>
  );
}
