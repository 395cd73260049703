import { useEffect } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { ask } from '../api/client';
import { later } from '../parts/later';
import { SignIn } from './sign-in';

/** A file of the build, fetched by the operator of a new service. */
const SetUp = later(() => import('./setup').then((it) => it.SetUp));

/** The page for whoever is not signed in. As long as a service has no user, nobody can sign in: the operator sets it up. */
export function Entrance() {
  const isNew = useSignal<boolean | undefined>(undefined);
  useEffect(() => {
    ask<{ is_needed: boolean }>('/inbox/v1/setup').then(
      (setup) => (isNew.value = setup.is_needed),
      // The sign-in says why the service does not answer.
      () => (isNew.value = false),
    );
  }, []);
  if (isNew.value === undefined) return null;
  return isNew.value ? <SetUp /> : <SignIn />;
}
