// Asking for what a page shows: the last good answer stays while the next one is on its way.

import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { type Problem, asProblem, isAborted } from '../api/client';
import { on, whenBack } from '../live/events';

export interface Loaded<T> {
  /** What was last told; undefined before the first answer. */
  data: Signal<T | undefined>;
  /** Why the newest question has no answer. */
  problem: Signal<Problem | undefined>;
  loading: Signal<boolean>;
  reload: () => void;
}

/**
 * Asks when the component is first shown, whenever `key` is another, when the feed says that something was missed, and
 * when the service is back after a question that it did not answer.
 * A new key forgets what belonged to the old one.
 */
export function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const data = useSignal<T | undefined>(undefined);
  const problem = useSignal<Problem | undefined>(undefined);
  const loading = useSignal(true);
  const newest = useRef(load);
  newest.current = load;
  const under = useRef<AbortController | undefined>(undefined);
  const reload = useRef(() => {
    under.current?.abort();
    const mine = new AbortController();
    under.current = mine;
    loading.value = true;
    newest
      .current(mine.signal)
      .then((answer) => {
        if (under.current !== mine) return;
        data.value = answer;
        problem.value = undefined;
        loading.value = false;
      })
      .catch((failure: unknown) => {
        if (under.current !== mine || isAborted(failure)) return;
        problem.value = asProblem(failure);
        loading.value = false;
      });
  });
  // Not after the next picture: that would show the answer to the old key under the new one.
  useLayoutEffect(() => {
    data.value = undefined;
    problem.value = undefined;
    reload.current();
    return () => under.current?.abort();
  }, [key]);
  useEffect(() => on('reset', () => reload.current()), []);
  useEffect(() => whenBack(() => problem.peek(), reload.current), []);
  return { data, problem, loading, reload: reload.current };
}
