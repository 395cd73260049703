import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { type Problem, asProblem, ask } from '../../../api/client';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { Field } from '../../../parts/field';
import { ProblemNote } from '../../../parts/problem';
import { open } from '../../../router';
import { team } from '../../../words/team';
import { shell } from '../../../words/shell';
import * as list from '../list/store';
import type { Conversation, Message } from '../types';

const FIELDS = ['scope_id', 'phone', 'name', 'text'];

/** Where one can write to: the scopes that conversations came through. */
function knownScopes(): { id: string; name: string }[] {
  const found = new Map<string, string>();
  for (const { scope_id, channel } of list.rows.peek()) {
    if (scope_id !== null) found.set(scope_id, channel?.title ?? scope_id);
  }
  return [...found].map(([id, name]) => ({ id, name }));
}

/** Writes to somebody who has not written: by their phone number. */
export function WriteFirst({ onClose }: { onClose: () => void }) {
  const words = team().first;
  const scopes = useMemo(knownScopes, []);
  /** Repeating the request after a failure is the same message. */
  const key = useMemo(() => `${Date.now()}-${Math.random().toString(36).slice(2)}`, []);
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const submit = async (data: FormData): Promise<void> => {
    const given = FIELDS.map((name): [string, string] => [name, String(data.get(name) ?? '').trim()]);
    busy.value = true;
    problem.value = undefined;
    try {
      const answer = await ask<{ conversation: Conversation | null; message: Message }>('/inbox/v1/conversations', {
        method: 'POST',
        body: Object.fromEntries(given.filter(([, value]) => value !== '')),
        headers: { 'Idempotency-Key': key },
      });
      onClose();
      if (answer.conversation !== null) {
        list.put(answer.conversation, true);
        open(`/conversations/${answer.conversation.id}`);
      }
    } catch (failure) {
      problem.value = asProblem(failure);
    }
    busy.value = false;
  };
  const wrong = (name: string): string | undefined => problem.value?.about(name);
  const isToldBelow = problem.value !== undefined && !FIELDS.some((name) => wrong(name) !== undefined);
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form
        class="stacked"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy.value) void submit(new FormData(event.currentTarget));
        }}
      >
        {scopes.length > 0 ? (
          <Field label={words.channel} error={wrong('scope_id')}>
            {(input) => (
              <select {...input} name="scope_id">
                {scopes.map((scope) => (
                  <option key={scope.id} value={scope.id}>
                    {scope.name}
                  </option>
                ))}
              </select>
            )}
          </Field>
        ) : (
          <Field label={words.scope} hint={words.scopeHint} error={wrong('scope_id')}>
            {(input) => <input {...input} name="scope_id" required spellcheck={false} />}
          </Field>
        )}
        <Field label={words.phone} error={wrong('phone')}>
          {(input) => <input {...input} name="phone" type="tel" autocomplete="off" required />}
        </Field>
        <Field label={words.name} hint={words.nameHint} error={wrong('name')}>
          {(input) => <input {...input} name="name" autocomplete="off" />}
        </Field>
        <Field label={words.text} error={wrong('text')}>
          {(input) => <textarea {...input} name="text" rows={3} required />}
        </Field>
        {isToldBelow && problem.value !== undefined && <ProblemNote problem={problem.value} />}
        <div class="actions">
          <Button onClick={onClose}>{shell().cancel}</Button>
          <Button type="submit" look="primary" busy={busy.value}>
            {words.submit}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
