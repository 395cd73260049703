import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button';
import { Field } from '../../parts/field';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { callbacks } from '../../words/callbacks';
import { moment } from '../../words/language';
import { operator } from '../../words/operator';
import { relays } from '../../words/relays';
import { shell } from '../../words/shell';
import { useNewest } from '../callbacks/newest';
import { StateBadge } from '../callbacks/state';
import { Part } from '../operator/facts';
import { Listed } from '../operator/listed';
import { Replay } from './replay';
import { targetOf } from './standing';
import { secondsOf } from './times';
import { type Relay, type RelayedHook, pathOf } from './types';

/** The hooks that a relay took, newest first: all, those of a time, or the newest about a message. */
export function Hooks({ relay }: { relay: Relay }) {
  const words = relays();
  const [message, from, until] = [useSignal(''), useSignal(''), useSignal('')];
  const replaying = useSignal<string | undefined>(undefined);
  const time = {
    ...(from.value === '' ? {} : { from: String(secondsOf(from.value)) }),
    ...(until.value === '' ? {} : { until: String(secondsOf(until.value)) }),
  };
  const id = message.value.trim();
  const query: Record<string, string> = id === '' ? time : { message_id: id };
  const { loaded, rows, isMore, isBusy, more } = useNewest<RelayedHook>({ path: `${pathOf(relay.channel_id)}/hooks`, name: 'hooks', query });
  const problem = loaded.problem.value;
  const isNarrowed = Object.keys(query).length > 0;
  return (
    <Part title={words.hooks.title}>
      <form class="relay-search" role="search" aria-label={words.hooks.title} onSubmit={(event) => event.preventDefault()}>
        <Field label={words.hooks.message}>
          {(input) => (
            <input {...input} type="search" class="mono" spellcheck={false} value={message.value} onInput={(event) => (message.value = event.currentTarget.value)} />
          )}
        </Field>
        <Field label={words.from}>
          {(input) => (
            <input {...input} type="datetime-local" step="1" disabled={id !== ''} value={from.value} onInput={(event) => (from.value = event.currentTarget.value)} />
          )}
        </Field>
        <Field label={words.until}>
          {(input) => (
            <input {...input} type="datetime-local" step="1" disabled={id !== ''} value={until.value} onInput={(event) => (until.value = event.currentTarget.value)} />
          )}
        </Field>
      </form>
      {problem !== undefined && <ProblemNote problem={problem} retry={loaded.reload} />}
      {loaded.data.value === undefined && problem === undefined && <Skeleton />}
      {loaded.data.value !== undefined && rows.length === 0 && <p class="soft">{isNarrowed ? words.hooks.nothing : words.hooks.none}</p>}
      {rows.length > 0 && (
        <Listed name="relay-hooks" columns={[words.hooks.received, words.hooks.kind, words.hooks.message, words.hooks.states]} action={words.replay.submit}>
          {rows.map((hook) => (
            <tr key={`${hook.received_at} ${hook.scope_id} ${hook.message_id} ${hook.number}`}>
              <th scope="row">
                <time dateTime={new Date(hook.received_at * 1000).toISOString()}>{moment(hook.received_at)}</time>
              </th>
              <td data-label={words.hooks.kind}>
                <div>
                  {hook.bytes === null ? words.hooks.erased : (words.hooks.kinds[hook.kind ?? ''] ?? hook.kind)}
                  <div class="soft">
                    {[hook.bytes === null ? '' : operator().body.length(hook.bytes), hook.late ? words.hooks.late : ''].filter((it) => it !== '').join(' · ')}
                  </div>
                </div>
              </td>
              <td data-label={words.hooks.message}>
                <div>
                  <code>{hook.message_id ?? '—'}</code>
                  <div class="soft address">{hook.scope_id}</div>
                </div>
              </td>
              <td data-label={words.hooks.states}>
                <ul class="relay-states">
                  {hook.deliveries.map((delivery) => (
                    <li key={delivery.target}>
                      <span>{targetOf(delivery.target)}</span> <StateBadge state={delivery.state} />{' '}
                      <span class="soft">
                        {[delivery.attempts > 0 ? callbacks().tries(delivery.attempts) : '', delivery.last_status ?? ''].filter((it) => it !== '').join(' · ')}
                      </span>
                    </li>
                  ))}
                </ul>
              </td>
              <td>
                {hook.message_id !== null && (
                  <Button look="quiet" icon="retry" aria-label={words.replay.one(hook.message_id)} onClick={() => (replaying.value = hook.message_id ?? undefined)}>
                    {words.replay.submit}
                  </Button>
                )}
              </td>
            </tr>
          ))}
        </Listed>
      )}
      {isMore && (
        <Button busy={isBusy} onClick={more}>
          {shell().loadMore}
        </Button>
      )}
      {replaying.value !== undefined && (
        <Replay relay={relay} message={replaying.value} onDone={loaded.reload} onClose={() => (replaying.value = undefined)} />
      )}
    </Part>
  );
}
