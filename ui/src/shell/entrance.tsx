import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { ask } from '../api/client';
import { forgetOperator, operatorToken } from '../api/operator';
import { later } from '../parts/later';
import { SignIn } from './sign-in';

/** A file of the build, fetched by the operator of a service without users. */
const First = later(() => import('./setup').then((it) => it.First));

/** What the service says of its first page. */
export interface Setup {
  /** No user can sign in yet. */
  is_needed: boolean;
  /** Nobody has to: it only relays. */
  only_relays?: boolean;
}

/** The page for whoever is not signed in. As long as a service has no user, nobody can sign in: its operator has the first page. */
export function Entrance() {
  const setup = useSignal<Setup | undefined>(undefined);
  useEffect(() => {
    ask<Setup>('/inbox/v1/setup')
      // The sign-in says why the service does not answer.
      .catch(() => ({ is_needed: false }))
      .then((answer: Setup) => {
        // Whoever signs in here may be somebody else, who must not get the token.
        if (answer.only_relays !== true && operatorToken.peek() !== undefined) forgetOperator();
        setup.value = answer;
      });
  }, []);
  if (setup.value === undefined) return null;
  return setup.value.is_needed ? <First {...setup.value} /> : <SignIn />;
}
