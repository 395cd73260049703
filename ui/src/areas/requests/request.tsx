import { askAsOperator } from '../../api/operator';
import { useLoad } from '../../parts/load';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { moment, number } from '../../words/language';
import { requests } from '../../words/requests';
import { Body, type Mark } from '../operator/body';
import { Fact, Facts, Part } from '../operator/facts';
import { Headers } from '../operator/headers';
import { parsed } from '../operator/pretty';
import type { Excerpt, KeptRequest } from '../operator/types';
import { type Known, operationOf, refusalOf, senderOf } from './about';
import { Doctor } from './doctor';
import { Hint } from './hint';
import { Status } from '../operator/status';

type Wrong = Mark & { code: string };

/** The fields that an answer says are wrong: a list, or one for each item of the request. */
function wrongOf(answer: Excerpt): Wrong[] {
  const value = parsed(answer.text ?? '') as { errors?: unknown; 'validation-errors'?: unknown } | null | undefined;
  const list = (it: unknown): unknown[] => (Array.isArray(it) ? it : []);
  const ofItems = list(value?.['validation-errors']).flatMap((item) => list((item as { errors?: unknown } | null)?.errors));
  return [...list(value?.errors), ...ofItems].flatMap((error) => {
    const { path, detail, code } = (error ?? {}) as { path?: unknown; detail?: unknown; code?: unknown };
    return typeof path === 'string' ? [{ path, detail: String(detail ?? ''), code: String(code ?? '') }] : [];
  });
}

/** Why a request was refused: the likely mistake, else the wrong fields, else what the service says. */
function Why({ request, wrong }: { request: KeptRequest; wrong: readonly Wrong[] }) {
  const words = requests();
  const { hint, error_description: description, mistake } = request;
  if (hint !== null) return <Hint text={hint} mistake={mistake} />;
  if (description === null) return null;
  const faults: Record<string, string> = words.faults;
  const first = wrong[0];
  const fault = faults[first?.code ?? ''];
  if (first === undefined || fault === undefined) return <span lang="en">{description}</span>;
  return <span>{words.wrongFields(wrong.length, first.path, fault)}</span>;
}

function Text({ excerpt, label, marks }: { excerpt: Excerpt; label: string; marks?: readonly Mark[] }) {
  const words = requests();
  if (excerpt.withheld !== null) return <p class="soft">{words.withheld[excerpt.withheld](excerpt.length)}</p>;
  if (excerpt.length === 0) return <p class="soft">{words.noBody}</p>;
  return (
    <>
      {!excerpt.is_whole && <p class="note warn">{words.cut(excerpt.length)}</p>}
      <Body text={excerpt.text ?? excerpt.hex ?? ''} label={label} marks={marks ?? []} />
    </>
  );
}

/** One request: what was asked, what was answered, what is to be said of its signature. */
export function Request({ id, known }: { id: string; known: Known }) {
  const words = requests();
  const loaded = useLoad(id, (signal) =>
    askAsOperator<KeptRequest>(`/admin/v1/requests/${encodeURIComponent(id)}`, { signal }),
  );
  const request = loaded.data.value;
  if (request === undefined) {
    return loaded.problem.value === undefined ? <Skeleton /> : <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />;
  }
  const wrong = wrongOf(request.answer);
  const marks = wrong.map(({ path, detail }) => ({ path, detail }));
  return (
    <article>
      <header class="head">
        <h2>
          <Status status={request.status} /> {operationOf(request)}
        </h2>
      </header>
      {request.status >= 400 && (
        <p class="note bad">
          <strong>{refusalOf(request)}</strong> {request.error_type !== null && <code>{request.error_type}</code>}{' '}
          <Why request={request} wrong={wrong} />
        </p>
      )}
      <Facts>
        <Fact name={words.address} copy={request.path}>
          <code>
            {request.method} {request.path}
          </code>
        </Fact>
        <Fact name={words.at}>
          {moment(request.at_ms / 1000)} · {number(Math.round(request.took_ms * 10) / 10)} ms
        </Fact>
        <Fact name={words.sender}>
          {request.channel_id === null ? (
            senderOf(request, known)
          ) : (
            <a href={`/channels/${encodeURIComponent(request.channel_id)}`}>{senderOf(request, known)}</a>
          )}
        </Fact>
        {request.client_id !== null && (
          <Fact name={words.oauthClient} copy={request.client_id}>
            <a href={`/oauth-clients/${encodeURIComponent(request.client_id)}`}>{request.client_id}</a>
          </Fact>
        )}
        {request.query !== null && (
          <Fact name={words.query} copy={request.query}>
            <code>{request.query}</code>
          </Fact>
        )}
      </Facts>
      {request.channel_id !== null && <Doctor request={request} channel={request.channel_id} />}
      <Part title={words.body}>
        <Text excerpt={request.body} label={words.body} marks={marks} />
      </Part>
      <Part title={words.answer}>
        <Text excerpt={request.answer} label={words.answer} />
      </Part>
      <Part title={words.headers}>
        <Headers headers={request.headers} label={words.headers} />
      </Part>
    </article>
  );
}
