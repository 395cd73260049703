import { askAsOperator } from '../../api/operator';
import { useLoad } from '../../parts/load';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { moment, number } from '../../words/language';
import { operator } from '../../words/operator';
import { requests } from '../../words/requests';
import { Body, type Mark } from '../operator/body';
import { nameOf } from '../operator/channels';
import { Fact, Facts, Part } from '../operator/facts';
import { Headers } from '../operator/headers';
import { parsed } from '../operator/pretty';
import type { Channel, Excerpt, KeptRequest } from '../operator/types';
import { operationOf, refusalOf } from './about';
import { Doctor } from './doctor';
import { Status } from '../operator/status';

/** The fields that an answer says are wrong. */
function marksOf(answer: Excerpt): Mark[] {
  const value = parsed(answer.text ?? '') as { errors?: unknown } | null | undefined;
  const errors: unknown[] = Array.isArray(value?.errors) ? value.errors : [];
  return errors.flatMap((error) => {
    const { path, detail } = (error ?? {}) as { path?: unknown; detail?: unknown };
    return typeof path === 'string' ? [{ path, detail: String(detail ?? '') }] : [];
  });
}

function Text({ excerpt, label, marks }: { excerpt: Excerpt; label: string; marks?: readonly Mark[] }) {
  const words = requests();
  if (excerpt.length === 0) return <p class="soft">{words.noBody}</p>;
  return (
    <>
      {!excerpt.is_whole && <p class="note warn">{words.cut(excerpt.length)}</p>}
      <Body text={excerpt.text ?? excerpt.hex ?? ''} label={label} marks={marks ?? []} />
    </>
  );
}

/** One request: what was asked, what was answered, what is to be said of its signature. */
export function Request({ id, channels }: { id: string; channels: readonly Channel[] }) {
  const words = requests();
  const loaded = useLoad(id, (signal) =>
    askAsOperator<KeptRequest>(`/admin/v1/requests/${encodeURIComponent(id)}`, { signal }),
  );
  const request = loaded.data.value;
  if (request === undefined) {
    return loaded.problem.value === undefined ? <Skeleton /> : <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />;
  }
  const marks = marksOf(request.answer);
  return (
    <article>
      <header class="head">
        <h2>
          <Status status={request.status} /> {operationOf(request)}
        </h2>
      </header>
      {request.error_type !== null && (
        <p class="note bad">
          <strong>{refusalOf(request)}</strong> <code>{request.error_type}</code>{' '}
          <span lang="en">{request.hint ?? request.error_description}</span>
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
        <Fact name={operator().channel}>
          {request.channel_id === null ? (
            words.stranger
          ) : (
            <a href={`/channels/${encodeURIComponent(request.channel_id)}`}>{nameOf(channels, request.channel_id)}</a>
          )}
        </Fact>
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
