// `GET /metrics` in the text format of OpenMetrics.

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
