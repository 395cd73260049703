import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Problem, asProblem } from '../api/client';
import { ended, signIn } from '../api/session';
import { Button } from '../parts/button';
import { Field } from '../parts/field';
import { Icon } from '../parts/icon';
import { ProblemNote } from '../parts/problem';
import { nameWindow } from '../title';
import { lasting, shell } from '../words/shell';
import { LanguageChoice } from './language-choice';
import './sign-in.css';

/** The form of people who have an account. The address stays: after signing in, the page that was wanted is shown. */
export function SignIn() {
  const all = shell();
  const words = all.signIn;
  const form = useRef<HTMLFormElement>(null);
  const problem = useSignal<Problem | undefined>(undefined);
  const busy = useSignal(false);
  /** Seconds left until another attempt is let in. */
  const wait = useSignal(0);
  useEffect(() => {
    nameWindow([words.title, all.product]);
  }, [words.title]);
  useEffect(() => {
    if (wait.value <= 0) return;
    const timer = setTimeout(() => (wait.value -= 1), 1000);
    return () => clearTimeout(timer);
  }, [wait.value]);
  const submit = async (data: FormData): Promise<void> => {
    const text = (name: string): string => String(data.get(name) ?? '').trim();
    busy.value = true;
    problem.value = undefined;
    try {
      await signIn(text('email'), String(data.get('password') ?? ''), text('account'));
    } catch (failure) {
      problem.value = asProblem(failure);
      if (problem.value.status === 429) wait.value = problem.value.retryAfter ?? 60;
      form.current?.querySelector<HTMLInputElement>('[type=password]')?.select();
    }
    busy.value = false;
  };
  const failed = problem.value;
  const refused = failed?.status === 401;
  const throttled = failed?.status === 429 && wait.value > 0;
  return (
    <main class="sign-in">
      <form
        ref={form}
        class="card"
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy.value) void submit(new FormData(event.currentTarget));
        }}
      >
        <p class="brand">
          <Icon name="callbacks" />
          {all.product}
        </p>
        <h1>{words.title}</h1>
        {ended.value && failed === undefined && (
          <p class="notice" role="status">
            {words.ended}
          </p>
        )}
        <div aria-live="assertive">
          {refused && (
            <p class="notice bad">
              {words.wrong}
            </p>
          )}
          {throttled && <p class="notice bad">{words.throttled(lasting(wait.value))}</p>}
        </div>
        {failed !== undefined && !refused && failed.status !== 429 && <ProblemNote problem={failed} />}
        <Field label={words.email}>
          {(input) => <input {...input} name="email" type="email" autocomplete="username" required autofocus />}
        </Field>
        <Field label={words.password}>
          {(input) => <input {...input} name="password" type="password" autocomplete="current-password" required />}
        </Field>
        {/* An address in several accounts is refused like a wrong one; who has such an address knows it. */}
        <details>
          <summary>{words.several}</summary>
          <Field label={words.account} hint={words.accountHint} error={failed?.about('account_id')}>
            {(input) => <input {...input} name="account" autocomplete="off" spellcheck={false} />}
          </Field>
        </details>
        <Button type="submit" look="primary" busy={busy.value} disabled={throttled}>
          {words.submit}
        </Button>
      </form>
      <LanguageChoice />
    </main>
  );
}
