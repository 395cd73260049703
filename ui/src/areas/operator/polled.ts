// Asking again and again, as long as somebody looks.

import { signal, useSignalEffect } from '@preact/signals';
import { paused } from '../../live/events';
import { type Loaded, useLoad } from '../../parts/load';

const visible = signal(!document.hidden);
document.addEventListener('visibilitychange', () => {
  visible.value = !document.hidden;
});

/** As `useLoad`, and again `every` so many milliseconds after each answer, unless live updates are paused. */
export function usePolled<T>(key: string, every: number, load: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const loaded = useLoad(key, load);
  useSignalEffect(() => {
    if (loaded.loading.value || paused.value || !visible.value) return undefined;
    const timer = setTimeout(loaded.reload, every);
    return () => clearTimeout(timer);
  });
  return loaded;
}
