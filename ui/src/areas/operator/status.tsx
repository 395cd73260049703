import { Badge } from '../../parts/badge';

/** The status of an answer. */
export function Status({ status }: { status: number }) {
  const isRefused = status >= 400;
  return (
    <Badge tone={isRefused ? 'bad' : 'good'} icon={isRefused ? 'warning' : 'check'}>
      {status}
    </Badge>
  );
}
