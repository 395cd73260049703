import { Button } from '../../../parts/button';
import { ProblemNote } from '../../../parts/problem';
import { inbox } from '../../../words/inbox';
import { team } from '../../../words/team';
import type { Pending } from '../compose/outbox';
import { MessageButtons } from '../template/buttons';
import { authorOf, type Message } from '../types';
import { Notice } from './notice';
import { answersIn, type Thread } from './store';

/** A message on its way to the service, or one that did not get there: then with the reason, and nothing is lost. */
export function PendingItem({ pending, thread }: { pending: Pending; thread: Thread }) {
  const words = inbox().compose;
  const { what, problem, key } = pending;
  const answers = answersIn(problem);
  const text = what.type === 'text' ? what.text : [what.name, what.text].filter(Boolean).join('\n');
  return (
    <div class="message out pending">
      <div class="bubble">
        <p class="text" dir="auto">
          {text}
        </p>
        {what.type === 'template' && <MessageButtons buttons={what.buttons} />}
      </div>
      {problem === undefined ? (
        <p class="soft">{words.sending}</p>
      ) : answers.length > 0 ? (
        <Overtaken pending={pending} thread={thread} answers={answers} />
      ) : (
        <div class="problem-of-message">
          <p>{words.failed}</p>
          <ProblemNote problem={problem} />
          <p class="ways">
            <Button icon="retry" onClick={() => void thread.send(what, key)}>
              {words.retry}
            </Button>
            <Button look="quiet" onClick={() => thread.throwAway(pending)}>
              {words.discard}
            </Button>
          </p>
        </div>
      )}
    </div>
  );
}

/** Another answered first: their words, and both ways out. Nothing was sent, and the text stays. */
function Overtaken({ pending, thread, answers }: { pending: Pending; thread: Thread; answers: readonly Message[] }) {
  const words = inbox().compose;
  const quotes = [...answers].reverse().map((answer) => ({
    by: authorOf(answer.sender),
    text: answer.text === '' ? (answer.file_name ?? '') : answer.text,
  }));
  const title = (
    <>
      <strong>{team().overtaken}</strong> {words.failed}
    </>
  );
  return (
    <Notice name="overtaken" title={title} quotes={quotes}>
      <Button icon="send" onClick={() => void thread.sendAllTheSame(pending)}>
        {team().allTheSame}
      </Button>
      <Button look="quiet" onClick={() => thread.throwAway(pending)}>
        {words.discard}
      </Button>
    </Notice>
  );
}
