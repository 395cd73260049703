// A second link before everything else, to the list of the page: who uses the keyboard passes its search and filters at once.

import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

interface Target {
  /** The id of the element that takes the focus. */
  id: string;
  /** What the link says, in the language of now. */
  says: () => string;
}

/** Where the link leads; none is shown without. */
export const target = signal<Target | undefined>(undefined);

/** Offers the link as long as the list has rows. */
export function useSkipTo(id: string, says: () => string, hasRows: boolean): void {
  useEffect(() => {
    if (!hasRows) return undefined;
    target.value = { id, says };
    return () => {
      target.value = undefined;
    };
  }, [id, hasRows]);
}
