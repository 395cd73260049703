import { useSignal } from '@preact/signals';
import { type Problem, asProblem } from '../api/client';

/** Something that is asked of the service once, with what went wrong. */
export function useWork() {
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  const run = async (work: () => Promise<void>): Promise<void> => {
    if (busy.peek()) return;
    busy.value = true;
    problem.value = undefined;
    try {
      await work();
    } catch (failure) {
      problem.value = asProblem(failure);
    }
    busy.value = false;
  };
  return { busy: busy.value, problem: problem.value, run };
}
