// `GET /metrics` in the text format of OpenMetrics.

import { Problem } from '../../api/client';

/** What is served to everybody: no token goes there. */
export async function open(path: string, signal: AbortSignal): Promise<string> {
  try {
    const response = await fetch(path, { signal, cache: 'no-store', credentials: 'omit' });
    return await response.text();
  } catch (failure) {
    if (signal.aborted) throw failure;
    throw new Problem(0, '');
  }
}

/** The numbers, by name and labels as they are written: `switchboard_http_requests_total{status="2xx"}`. */
export type Metrics = ReadonlyMap<string, number>;

export function read(text: string): Metrics {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line): [string, number] => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** The sum over all labels of a number. */
export function sum(metrics: Metrics, name: string): number {
  const full = `switchboard_${name}`;
  const parts = [...metrics].filter(([key]) => key === full || key.startsWith(`${full}{`));
  return parts.reduce((total, [, value]) => total + value, 0);
}

/** A label of a number; a dash where there is none. */
export function labelOf(metrics: Metrics, name: string, label: string): string {
  const key = [...metrics.keys()].find((key) => key.startsWith(`switchboard_${name}{`)) ?? '';
  return new RegExp(`[{,]${label}="([^"]*)"`).exec(key)?.[1] ?? '—';
}

/** The least bound of a histogram within which this part of its values is, as its buckets tell; undefined without values. */
export function percentile(metrics: Metrics, name: string, part: number): number | undefined {
  const count = metrics.get(`switchboard_${name}_count`) ?? 0;
  if (count === 0) return undefined;
  const buckets = [...metrics].flatMap(([key, value]): [number, number][] => {
    const bound = new RegExp(`^switchboard_${name}_bucket\\{le="([^"]+)"\\}$`).exec(key)?.[1];
    return bound === undefined ? [] : [[bound === '+Inf' ? Infinity : Number(bound), value]];
  });
  return buckets.sort(([one], [other]) => one - other).find(([, value]) => value >= count * part)?.[0];
}
