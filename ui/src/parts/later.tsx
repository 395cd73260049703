import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Problem } from '../api/client';
import { on } from '../live/events';
import { ProblemNote } from './problem';
import { Skeleton } from './skeleton';

/** A page whose code is fetched when it is first opened: `later(() => import('./page').then((it) => it.RolesPage))`. */
export function later<P extends object>(load: () => Promise<ComponentType<P>>): FunctionComponent<P> {
  let found: ComponentType<P> | undefined;
  return function Later(props: P) {
    const [, again] = useState(0);
    const [problem, fail] = useState<Problem | undefined>(undefined);
    const fetch = (): void => {
      fail(undefined);
      load()
        .then((component) => {
          found = component;
          again((count) => count + 1);
        })
        // The code comes from the service, so what fails is the way there.
        .catch((failure: unknown) => fail(new Problem(0, String(failure))));
    };
    useEffect(() => {
      if (found === undefined) fetch();
    }, []);
    // Whatever kept the file from coming: once the service is back it can.
    const failed = useRef(problem);
    failed.current = problem;
    useEffect(() => on('back', () => failed.current !== undefined && fetch()), []);
    const Found = found;
    if (Found !== undefined) return <Found {...props} />;
    return problem === undefined ? <Skeleton /> : <ProblemNote problem={problem} retry={fetch} />;
  };
}
