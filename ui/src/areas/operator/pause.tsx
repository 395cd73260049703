import { pause, paused } from '../../live/events';
import { Button } from '../../parts/button';
import { operator } from '../../words/operator';

/** Stops what a page asks again and again, and lets it go on. */
export function Pause() {
  const words = operator();
  return (
    <Button icon={paused.value ? 'retry' : 'paused'} look="quiet" aria-pressed={paused.value} onClick={() => pause(!paused.peek())}>
      {paused.value ? words.goOn : words.pause}
    </Button>
  );
}
