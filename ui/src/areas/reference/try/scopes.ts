// The connections of a channel, for the operator: a scope is chosen where it is known.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { listAsOperator } from '../../../api/operator';
import { isAborted } from '../../../api/client';

export interface Scope {
  scope_id: string;
  account_id: string;
  title: string;
}

/** The scopes of a channel; none without a channel, or while they cannot be read: then the id is typed. */
export function useScopes(channel: string): readonly Scope[] {
  const scopes = useSignal<readonly Scope[]>([]);
  useEffect(() => {
    scopes.value = [];
    if (channel === '') return undefined;
    const asking = new AbortController();
    listAsOperator<Scope>(`/admin/v1/channels/${encodeURIComponent(channel)}/connections`, 'connections', asking.signal)
      .then((found) => (scopes.value = found))
      .catch((failure: unknown) => {
        if (!isAborted(failure)) scopes.value = [];
      });
    return () => asking.abort();
  }, [channel]);
  return scopes.value;
}
