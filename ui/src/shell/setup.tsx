// The first page of a service without users: with the operator's token it makes the account and its administrator. Of one that only
// relays, it is the relays.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Problem, asProblem } from '../api/client';
import { askAsOperator, becomeOperator, listAsOperator } from '../api/operator';
import { signIn } from '../api/session';
import { Button } from '../parts/button';
import { Field } from '../parts/field';
import { Icon } from '../parts/icon';
import { later } from '../parts/later';
import { ProblemNote } from '../parts/problem';
import { nameWindow } from '../title';
import { language } from '../words/language';
import { setup } from '../words/setup';
import { shell } from '../words/shell';
import type { Setup } from './entrance';
import { LanguageChoice } from './language-choice';
import './setup.css';

/** What is made one after the other; a problem belongs to one of them. */
type Step = 'token' | 'account' | 'user' | 'session';

interface Wanted {
  token: string;
  account: string;
  name: string;
  email: string;
  password: string;
}

/** The account: one that an earlier attempt has made, or a new one. */
async function makeAccount({ account: name }: Wanted): Promise<string> {
  const body = { name, lang: language.peek(), plan: 'enterprise' };
  const [known] = await listAsOperator<{ id: string }>('/admin/v1/accounts', 'accounts');
  const path = known === undefined ? '/admin/v1/accounts' : `/admin/v1/accounts/${known.id}`;
  const method = known === undefined ? 'POST' : 'PATCH';
  return (await askAsOperator<{ id: string }>(path, { method, body })).id;
}

async function makeAdministrator(account: string, { name, email, password }: Wanted): Promise<void> {
  const body = { name, email, password, is_admin: true, lang: language.peek() };
  await askAsOperator<unknown>(`/admin/v1/accounts/${account}/users`, { method: 'POST', body });
}

const Relays = later(() => import('../integrations').then((it) => it.RelaysAlone));

export function First({ only_relays: isOnly }: Setup) {
  return isOnly === true ? <Relays /> : <SetUp />;
}

function SetUp() {
  const words = setup();
  const all = shell();
  const busy = useSignal(false);
  const step = useSignal<Step>('token');
  const problem = useSignal<Problem | undefined>(undefined);
  useEffect(() => {
    nameWindow([words.title, all.product]);
  }, [words.title]);
  const submit = async (wanted: Wanted): Promise<void> => {
    busy.value = true;
    problem.value = undefined;
    try {
      step.value = 'token';
      await becomeOperator(wanted.token.trim());
      step.value = 'account';
      const account = await makeAccount(wanted);
      step.value = 'user';
      await makeAdministrator(account, wanted);
      step.value = 'session';
      await signIn(wanted.email, wanted.password, '');
    } catch (failure) {
      problem.value = asProblem(failure);
    }
    busy.value = false;
  };
  const wrong = (at: Step, path: string): string | undefined => (step.value === at ? problem.value?.about(path) : undefined);
  const refused = step.value === 'token' && problem.value?.status === 401 ? words.wrong : undefined;
  const errors = {
    account: wrong('account', 'name'),
    name: wrong('user', 'name'),
    email: wrong('user', 'email'),
    password: wrong('user', 'password'),
  };
  const isShown = refused !== undefined || Object.values(errors).some((error) => error !== undefined);
  return (
    <main class="sign-in">
      <form
        class="card setup"
        onSubmit={(event) => {
          event.preventDefault();
          const data = new FormData(event.currentTarget);
          const text = (name: string): string => String(data.get(name) ?? '');
          const [token, account, name] = [text('token'), text('account').trim(), text('name').trim()];
          const wanted = { token, account, name, email: text('email').trim(), password: text('password') };
          if (!busy.value) void submit(wanted);
        }}
      >
        <p class="brand">
          <Icon name="callbacks" />
          {all.product}
        </p>
        <h1>{words.title}</h1>
        <p>{words.text}</p>
        {problem.value !== undefined && !isShown && <ProblemNote problem={problem.value} />}
        <Field label={words.token} hint={words.tokenHint} error={refused}>
          {(input) => <input {...input} name="token" type="password" autocomplete="off" required autofocus />}
        </Field>
        <Field label={words.account} hint={words.accountHint} error={errors.account}>
          {(input) => <input {...input} name="account" autocomplete="organization" maxLength={255} required />}
        </Field>
        <Field label={words.name} error={errors.name}>
          {(input) => <input {...input} name="name" autocomplete="name" maxLength={255} required />}
        </Field>
        <Field label={words.email} error={errors.email}>
          {(input) => <input {...input} name="email" type="email" autocomplete="username" required />}
        </Field>
        <Field label={words.password} hint={words.passwordHint} error={errors.password}>
          {(input) => <input {...input} name="password" type="password" autocomplete="new-password" required />}
        </Field>
        <Button type="submit" look="primary" busy={busy.value}>
          {words.submit}
        </Button>
      </form>
      <LanguageChoice />
    </main>
  );
}
