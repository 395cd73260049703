import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useShortcuts } from '../../keys';
import { Button } from '../../parts/button';
import { callbacks } from '../../words/callbacks';
import type { DeliveryState } from '../operator/types';

/** Whether nothing more is sent by itself. */
export const isOver = (state: DeliveryState): boolean => state === 'delivered' || state === 'dead' || state === 'cancelled';

interface Props {
  state: DeliveryState;
  says: string;
  busy: boolean;
  onReplay: () => void;
}

/** Sends once more what is over, or what waits. What the receiver has already is sent once more only after a second wish. */
export function Replay({ state, says, busy, onReplay }: Props) {
  const sure = useSignal(false);
  const isDelivered = state === 'delivered';
  const isOffered = isOver(state) || state === 'waiting';
  const replay = (): void => {
    if (isDelivered && !sure.value) {
      sure.value = true;
    } else if (isOffered) {
      sure.value = false;
      onReplay();
    }
  };
  // A second wish is one for what was seen when the first was made.
  useEffect(() => {
    sure.value = false;
  }, [state]);
  useShortcuts([{ keys: 'KeyX', says, run: replay }]);
  if (!isOffered) return null;
  return (
    <Button look={isDelivered ? 'plain' : 'primary'} icon="retry" busy={busy} onClick={replay}>
      {isDelivered && sure.value ? callbacks().replaySure : says}
    </Button>
  );
}
