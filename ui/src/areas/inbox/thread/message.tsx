import { inbox } from '../../../words/inbox';
import { clock, moment } from '../../../words/language';
import { authorOf, type Message } from '../types';
import { Content } from './content';
import './message.css';
import { StateLine, stateOf } from './state';

interface Props {
  message: Message;
  /** Whether the Tab key stops here: at one message of the thread. */
  isStop: boolean;
  onFocus: () => void;
  onAgain: (() => void) | undefined;
  /** Sees to it that it is not sent. */
  onWithdraw: () => void;
  /** Lets the failures of the conversation be; undefined where nothing has failed. */
  onDismiss: (() => void) | undefined;
}

/** One message: who, what, when, and what became of it. */
export function MessageItem({ message, isStop, onFocus, ...ways }: Props) {
  const words = inbox().thread;
  const isOut = message.direction === 'out';
  const who = authorOf(message.sender);
  const marks = [
    message.imported === true ? words.imported : message.silent === true ? words.silentMark : '',
    message.edited_at === undefined ? '' : words.edited,
  ].filter((mark) => mark !== '');
  return (
    <article
      class={isOut ? 'message out' : 'message in'}
      data-message={message.id}
      tabIndex={isStop ? 0 : -1}
      onFocus={onFocus}
      aria-label={[words.from(who), clock(message.timestamp), stateOf(message)?.word].filter(Boolean).join(', ')}
    >
      <div class="bubble">
        <Content message={message} />
        <p class="below">
          {isOut && who !== '' && <span>{who} · </span>}
          {marks.length > 0 && <span>{marks.join(', ')} · </span>}
          <time dateTime={new Date(message.timestamp * 1000).toISOString()} title={moment(message.timestamp)}>
            {clock(message.timestamp)}
          </time>
        </p>
      </div>
      {isOut && <StateLine message={message} {...ways} />}
    </article>
  );
}
