import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Problem, asProblem } from '../api/client';
import { becomeOperator, operatorToken } from '../api/operator';
import { shell } from '../words/shell';
import { Button } from './button';
import { Field } from './field';
import { Page } from './page';
import { ProblemNote } from './problem';
import { Prose } from './prose';
import './operator-gate.css';

/** Shows its content to whoever has given the operator's token, and asks everybody else for it. */
export function OperatorGate({ title, children }: { title: string; children: () => ComponentChildren }) {
  if (operatorToken.value !== undefined) return <>{children()}</>;
  return (
    <Page title={title}>
      <OperatorToken />
    </Page>
  );
}

/** Asks for the operator's token. */
export function OperatorToken() {
  const token = useSignal('');
  const problem = useSignal<Problem | undefined>(undefined);
  const busy = useSignal(false);
  const words = shell().operator;
  const submit = async (): Promise<void> => {
    busy.value = true;
    try {
      await becomeOperator(token.value.trim());
    } catch (failure) {
      problem.value = asProblem(failure);
    }
    busy.value = false;
  };
  const wrong = problem.value?.status === 401 ? words.wrong : undefined;
  return (
    <form
      class="operator-gate"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <h2>{words.title}</h2>
      <p>{words.text}</p>
      <Field label={words.token} hint={<Prose text={words.hint} />} error={wrong}>
        {(input) => (
          <input
            {...input}
            type="password"
            autocomplete="off"
            required
            value={token.value}
            onInput={(event) => {
              token.value = event.currentTarget.value;
            }}
          />
        )}
      </Field>
      {problem.value !== undefined && wrong === undefined && <ProblemNote problem={problem.value} />}
      <Button type="submit" look="primary" busy={busy.value}>
        {words.submit}
      </Button>
    </form>
  );
}
