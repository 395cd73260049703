import type { Loaded } from '../../parts/load';

/** Puts something that was told of into its list, by id; a secret that was just made stays out of it. */
export function put<T extends { id: string; secret?: string }>(loaded: Loaded<T[]>, told: T): void {
  const { secret: _, ...shown } = told;
  const others = (loaded.data.peek() ?? []).filter((known) => known.id !== told.id);
  loaded.data.value = [...others, shown as T].sort((one, other) => (one.id < other.id ? -1 : 1));
}
