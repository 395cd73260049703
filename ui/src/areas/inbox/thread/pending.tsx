import { Button } from '../../../parts/button';
import { ProblemNote } from '../../../parts/problem';
import { inbox } from '../../../words/inbox';
import type { Pending } from '../compose/outbox';
import type { Thread } from './store';

/** A message on its way to the service, or one that did not get there: then with the reason, and nothing is lost. */
export function PendingItem({ pending, thread }: { pending: Pending; thread: Thread }) {
  const words = inbox().compose;
  const { what, problem, key } = pending;
  const text = what.type === 'text' ? what.text : [what.name, what.text].filter(Boolean).join('\n');
  return (
    <div class="message out pending">
      <div class="bubble">
        <p class="text" dir="auto">
          {text}
        </p>
      </div>
      {problem === undefined ? (
        <p class="soft">{words.sending}</p>
      ) : (
        <div class="problem-of-message">
          <p>{words.failed}</p>
          <ProblemNote problem={problem} />
          <p class="ways">
            <Button icon="retry" onClick={() => void thread.send(what, key)}>
              {words.retry}
            </Button>
            <Button look="quiet" onClick={() => thread.discard(key)}>
              {words.discard}
            </Button>
          </p>
        </div>
      )}
    </div>
  );
}
