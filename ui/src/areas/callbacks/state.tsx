import { Badge, type Tone } from '../../parts/badge';
import type { IconName } from '../../parts/icon';
import { callbacks } from '../../words/callbacks';
import { operator } from '../../words/operator';
import type { Attempt, DeliveryState } from '../operator/types';

const LOOKS: Record<DeliveryState, readonly [Tone, IconName]> = {
  queued: ['plain', 'clock'],
  sending: ['info', 'send'],
  waiting: ['warn', 'retry'],
  held: ['warn', 'paused'],
  delivered: ['good', 'check'],
  dead: ['bad', 'warning'],
  cancelled: ['plain', 'stopped'],
};

/** Where a callback stands, in a word. */
export function StateBadge({ state }: { state: DeliveryState }) {
  const [tone, icon] = LOOKS[state];
  return (
    <Badge tone={tone} icon={icon}>
      {callbacks().states[state]}
    </Badge>
  );
}

/** What kind of end an attempt came to. */
export function meaningOf(attempt: Pick<Attempt, 'class' | 'status'>): string {
  const words: Record<string, string> = callbacks().classes;
  const isLocked = attempt.class === 'misconfigured' && (attempt.status === 401 || attempt.status === 403);
  return words[isLocked ? 'not_authorized' : attempt.class] ?? attempt.class;
}

/** What an attempt was answered with, or why there was no answer. */
export function answerOf({ status, failure }: Pick<Attempt, 'status' | 'failure'>): string {
  if (status !== null) return String(status);
  const known: Record<string, string> = operator().failures;
  return known[failure ?? ''] ?? failure ?? '—';
}
