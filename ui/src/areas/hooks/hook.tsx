import { askAsOperator } from '../../api/operator';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { useWork } from '../../parts/work';
import { callbacks } from '../../words/callbacks';
import { moment } from '../../words/language';
import { webhooks } from '../../words/webhooks';
import { Attempts } from '../callbacks/attempts';
import { Replay } from '../callbacks/replay';
import { StateBadge } from '../callbacks/state';
import { Body } from '../operator/body';
import { Fact, Facts, Part } from '../operator/facts';
import { Listed } from '../operator/listed';
import { usePolled } from '../operator/polled';
import type { Hook } from './types';

/** One hook: where it stands, what was tried, and the form that is sent. */
export function HookView({ path }: { path: string }) {
  const words = webhooks();
  const loaded = usePolled(path, 2000, (signal) => askAsOperator<Hook>(path, { signal }));
  const task = useWork();
  const replay = (): Promise<void> =>
    task.run(async () => {
      loaded.data.value = await askAsOperator<Hook>(`${path}/replay`, { method: 'POST', body: {} });
    });
  const hook = loaded.data.value;
  const problem = loaded.problem.value;
  if (hook === undefined) return problem === undefined ? <Skeleton /> : <ProblemNote problem={problem} retry={loaded.reload} />;
  return (
    <article>
      <header class="head">
        <h2 aria-live="polite">
          <StateBadge state={hook.state} />
        </h2>
        <div class="buttons">
          <Replay state={hook.state} says={words.hooks.replay} busy={task.busy} onReplay={() => void replay()} />
        </div>
      </header>
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      {problem !== undefined && <ProblemNote problem={problem} retry={loaded.reload} />}
      <Facts>
        <Fact name={words.hooks.id}>{hook.id}</Fact>
        <Fact name={words.hooks.event}>{hook.event === null ? words.hooks.erased : words.codes[hook.event]}</Fact>
        {hook.created_at !== null && <Fact name={words.hooks.happened}>{moment(hook.created_at)}</Fact>}
        {hook.next_attempt_at !== null && <Fact name={callbacks().nextAttempt}>{moment(hook.next_attempt_at)}</Fact>}
        {hook.replays > 0 && <Fact name={callbacks().replayed}>{callbacks().times(hook.replays)}</Fact>}
      </Facts>
      <Attempts log={hook.log} omitted={Math.max(0, hook.log.length === 20 ? hook.attempts - 20 : 0)} />
      {hook.form !== null && <Form text={hook.form} />}
    </article>
  );
}

/** The form that is sent, decoded, and as it is sent. */
function Form({ text }: { text: string }) {
  const words = webhooks().hooks;
  return (
    <Part title={words.form}>
      <p class="soft">{words.formText}</p>
      <Listed name="form-values" columns={[words.key, words.value]}>
        {[...new URLSearchParams(text)].map(([key, value], place) => (
          <tr key={place}>
            <th scope="row">
              <code>{key}</code>
            </th>
            <td data-label={words.value}>
              <bdi>{value}</bdi>
            </td>
          </tr>
        ))}
      </Listed>
      <Body text={text} label={words.body} />
    </Part>
  );
}
