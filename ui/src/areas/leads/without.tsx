import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Problem, asProblem, ask } from '../../api/client';
import { whenBack } from '../../live/events';
import { Button } from '../../parts/button';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { leads } from '../../words/leads';
import { inbox } from '../../words/inbox';
import { shortMoment } from '../../words/language';
import { shell } from '../../words/shell';
import { type Conversation, type ConversationPage, nameOf } from '../inbox/types';

const PAGE = 250;

/** Why a conversation has no lead, in words; undefined when it has one. */
export function reason(conversation: Conversation): string | undefined {
  if (conversation.lead !== null) return undefined;
  const words = inbox().details.noLead;
  const why = conversation.no_lead ?? 'no_messages';
  return why === 'only_silent' ? words.only_silent(conversation.messages) : words[why];
}

/** «Why was no lead opened?»: the conversations that have none, each with its reason. */
export function Without() {
  const words = leads();
  const found = useSignal<readonly Conversation[]>([]);
  const next = useSignal<string | null | undefined>(undefined);
  const seen = useSignal(0);
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const read = async (): Promise<void> => {
    if (busy.peek()) return;
    busy.value = true;
    try {
      const query = { limit: PAGE, cursor: next.peek() ?? undefined };
      const page = await ask<ConversationPage>('/inbox/v1/conversations', { query });
      seen.value += page.conversations.length;
      found.value = [...found.peek(), ...page.conversations.filter((it) => it.lead === null)];
      next.value = page.next;
      problem.value = undefined;
    } catch (failure) {
      problem.value = asProblem(failure);
    }
    busy.value = false;
  };
  useEffect(() => whenBack(() => problem.peek(), () => void read()), []);
  return (
    <details
      class="without"
      onToggle={(event) => {
        if (event.currentTarget.open && next.peek() === undefined) void read();
      }}
    >
      <summary>{words.without}</summary>
      <p class="soft">{words.withoutAbout}</p>
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={() => void read()} />}
      {busy.value && next.value === undefined && <Skeleton rows={2} />}
      {next.value !== undefined && found.value.length === 0 && <p>{words.withoutNone}</p>}
      {found.value.length > 0 && (
        <table class="card stacks">
          <thead>
            <tr>
              <th scope="col">{inbox().details.customer}</th>
              <th scope="col">{words.channel}</th>
              <th scope="col">{words.reason}</th>
              <th scope="col">
                <span class="unseen">{words.age}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {found.value.map((conversation) => (
              <tr key={conversation.id}>
                <td>
                  <a href={`/conversations/${conversation.id}`}><bdi>{nameOf(conversation)}</bdi></a>
                </td>
                <td data-label={words.channel}>{conversation.channel?.title}</td>
                <td data-label={words.reason}>{reason(conversation)}</td>
                <td>
                  <time dateTime={new Date(conversation.active_at * 1000).toISOString()}>{shortMoment(conversation.active_at)}</time>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {next.value !== undefined && <p class="soft">{words.lookedAt(seen.value)}</p>}
      {next.value !== null && next.value !== undefined && (
        <Button busy={busy.value} onClick={() => void read()}>
          {shell().loadMore}
        </Button>
      )}
    </details>
  );
}
