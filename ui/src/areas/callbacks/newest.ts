// The newest rows of a list of the operator's, as many as are wanted, looked at again and again.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { askAsOperator } from '../../api/operator';
import type { Loaded } from '../../parts/load';
import { usePolled } from '../operator/polled';

interface Rows<T> {
  rows: T[];
  next: string | null;
}

/** How many rows are shown at first, and how many more at each wish. */
const STEP = 50;
/** How many rows the page shows at most: all of them are asked for again and again. */
const MOST = 1000;
/** How many rows the service gives at once. */
const PAGE = 250;

interface Question {
  /** The path of the list, and what it calls its rows. */
  path: string;
  name: string;
  query?: Record<string, string>;
}

/** As many rows as are wanted. An answer may hold fewer though there are more, so it is asked a few times. */
async function newest<T>({ path, name, query }: Question, wanted: number, signal: AbortSignal): Promise<Rows<T>> {
  const rows: T[] = [];
  let next: string | null | undefined;
  for (let asked = 0; asked < 20 && next !== null && rows.length < wanted; asked += 1) {
    const limit = Math.min(PAGE, wanted - rows.length);
    const how = { query: { ...query, limit, cursor: next }, signal };
    const page = await askAsOperator<Record<string, T[]> & { next: string | null }>(path, how);
    rows.push(...(page[name] ?? []));
    next = page.next;
  }
  return { rows, next: next ?? null };
}

export interface Newest<T> {
  loaded: Loaded<Rows<T>>;
  rows: readonly T[];
  /** Whether there are more, and the page may show them. */
  isMore: boolean;
  /** Whether more are on their way. */
  isBusy: boolean;
  more: () => void;
}

/** The newest rows, and more of them at each wish. */
export function useNewest<T>(question: Question): Newest<T> {
  const key = JSON.stringify(question);
  /** How many rows are wanted of this question. */
  const most = useSignal({ key, count: STEP });
  const count = most.value.key === key ? most.value.count : STEP;
  const loaded = usePolled(key, 2000, (signal) => newest<T>(question, count, signal));
  useEffect(() => {
    if (count > STEP) loaded.reload();
  }, [count]);
  const rows = loaded.data.value?.rows ?? [];
  return {
    loaded,
    rows,
    isMore: (loaded.data.value?.next ?? null) !== null && count < MOST && rows.length > 0,
    isBusy: loaded.loading.value && rows.length < count,
    more: () => {
      most.value = { key, count: count + STEP };
    },
  };
}
