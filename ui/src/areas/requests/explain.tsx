import { useSignal } from '@preact/signals';
import { askAsOperator } from '../../api/operator';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { requests } from '../../words/requests';
import { nameOf } from '../operator/channels';
import { Fact, Facts } from '../operator/facts';
import type { Known } from './about';

/** A thing that an id names, as `explain-id` tells it. */
interface Match {
  kind: keyof ReturnType<typeof requests>['ids']['kinds'];
  /** Null of a secret. */
  id: string | null;
  twin: string | null;
  name: string | null;
  account_id: string | null;
  channel_id: string | null;
  scope_id: string | null;
  conversation_id: string | null;
  lead_id: number | null;
  contact_id: number | null;
  user_id: number | null;
  client_id: string | null;
  /** Why it is of no use now. */
  refusal: string | null;
}

interface Explanation {
  is_partial: boolean;
  matches: Match[];
}

/** What any id is, and whose. The service stores nothing of it, and the page forgets what turns out to be a secret. */
export function ExplainId({ known, onClose }: { known: Known; onClose: () => void }) {
  const words = requests().ids;
  const id = useSignal('');
  const account = useSignal('');
  const conversation = useSignal('');
  const explanation = useSignal<Explanation | undefined>(undefined);
  const task = useWork();
  const explain = (): Promise<void> =>
    task.run(async () => {
      const body = {
        id: id.value.trim(),
        ...(account.value === '' ? {} : { account_id: account.value }),
        ...(conversation.value.trim() === '' ? {} : { conversation_id: conversation.value.trim() }),
      };
      const answer = await askAsOperator<Explanation>('/admin/v1/explain-id', { method: 'POST', body });
      explanation.value = answer;
      if (answer.matches.some((match) => match.id === null)) id.value = '';
    });
  const plain = { class: 'mono', spellcheck: false, autocomplete: 'off' };
  return (
    <Dialog title={words.title} onClose={onClose} wide>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void explain();
        }}
      >
        <p class="soft">{words.text}</p>
        <Field label={words.id} error={task.problem?.about('id')}>
          {(input) => <input {...input} {...plain} required value={id.value} onInput={(event) => (id.value = event.currentTarget.value)} />}
        </Field>
        <Field label={words.conversation} hint={words.conversationHint} error={task.problem?.about('conversation_id')}>
          {(input) => (
            <input {...input} {...plain} value={conversation.value} onInput={(event) => (conversation.value = event.currentTarget.value)} />
          )}
        </Field>
        {known.accounts.length > 1 && (
          <Field label={words.account}>
            {(input) => (
              <select {...input} value={account.value} onChange={(event) => (account.value = event.currentTarget.value)}>
                <option value="">{words.allAccounts}</option>
                {known.accounts.map(({ id: of, name }) => (
                  <option key={of} value={of}>
                    {name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        )}
        {task.problem !== undefined && <ProblemNote problem={task.problem} />}
        <div class="buttons">
          <Button type="submit" look="primary" icon="search" busy={task.busy}>
            {words.explain}
          </Button>
        </div>
      </form>
      <div role="status">{explanation.value !== undefined && <Matches explanation={explanation.value} known={known} />}</div>
    </Dialog>
  );
}

function Matches({ explanation, known }: { explanation: Explanation; known: Known }) {
  const words = requests().ids;
  return (
    <>
      {explanation.matches.length === 0 && <p class="note">{words.nothing}</p>}
      {explanation.matches.map((match) => (
        <MatchNote key={`${match.kind} ${match.id} ${match.account_id} ${match.channel_id}`} match={match} known={known} />
      ))}
      {explanation.is_partial && <p class="soft">{words.partial}</p>}
    </>
  );
}

function MatchNote({ match, known }: { match: Match; known: Known }) {
  const words = requests().ids;
  const account = known.accounts.find(({ id }) => id === match.account_id)?.name ?? match.account_id;
  const twins: Partial<Record<Match['kind'], string>> = words.twins;
  const facts: readonly (readonly [string, string | number | null])[] = [
    [words.serviceId, match.id],
    [twins[match.kind] ?? words.twin, match.twin],
    [words.name, match.name],
    [words.account, account],
    [words.channel, match.channel_id === null ? null : nameOf(known.channels, match.channel_id)],
    [words.scope, match.scope_id],
    [words.conversationId, match.conversation_id],
    [words.lead, match.lead_id],
    [words.contact, match.contact_id],
    [words.user, match.user_id],
    [words.client, match.client_id],
  ];
  const isGood = match.refusal === null;
  return (
    <section class={isGood ? 'note good' : 'note bad'} aria-label={words.kinds[match.kind]}>
      <Badge tone={isGood ? 'good' : 'bad'} icon={isGood ? 'check' : 'warning'}>
        {words.kinds[match.kind]}
      </Badge>
      {match.refusal !== null && <span lang="en"> · {match.refusal}</span>}
      <Facts>
        {facts.map(([name, value]) =>
          value === null ? null : (
            <Fact key={name} name={name} copy={String(value)}>
              {value}
            </Fact>
          ),
        )}
      </Facts>
    </section>
  );
}
