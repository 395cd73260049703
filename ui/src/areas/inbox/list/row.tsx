import { Icon } from '../../../parts/icon';
import { Initials } from '../../../parts/initials';
import { inbox } from '../../../words/inbox';
import { number, shortMoment } from '../../../words/language';
import { outbox } from '../compose/outbox';
import { type Conversation, type Message, nameOf, portrait } from '../types';
import './row.css';
import { hasFailed, isHeldUp } from './store';

/** The height of a row, in pixels. */
export const ROW = 66;

/** What a message is in one line. */
export function preview(message: Message): string {
  const said = message.text.trim();
  if (said !== '') return said;
  return [inbox().kinds[message.type], message.file_name ?? message.contact?.name].filter(Boolean).join(': ');
}

export function Row({ conversation, isSelected }: { conversation: Conversation; isSelected: boolean }) {
  const words = inbox().list;
  const { customer, channel, unread } = conversation;
  const last = conversation.found ?? conversation.last_message;
  const name = nameOf(conversation);
  const isUnsent = outbox.value.get(conversation.id)?.some((pending) => pending.problem !== undefined) === true;
  const mark = isUnsent ? words.unsent : hasFailed(conversation) ? words.failed : isHeldUp(conversation) ? words.retrying : '';
  const isTyping = (conversation.typing?.until ?? 0) * 1000 > Date.now();
  return (
    <a
      class={unread > 0 ? 'conversation unread' : 'conversation'}
      href={`/conversations/${conversation.id}`}
      aria-current={isSelected ? 'true' : undefined}
    >
      <Initials name={name} picture={portrait(customer)} />
      <span class="name">
        <bdi>{name}</bdi>
        {channel !== null && <span class="channel"> · {channel.title}</span>}
      </span>
      <time dateTime={new Date(conversation.active_at * 1000).toISOString()}>{shortMoment(conversation.active_at)}</time>
      <span class="last">
        {mark !== '' && (
          <span class={mark === words.retrying ? 'warn' : 'bad'}>
            <Icon name={mark === words.retrying ? 'retry' : 'warning'} /> {mark}:{' '}
          </span>
        )}
        {isTyping ? (
          <em>{words.typing}</em>
        ) : last === null ? (
          words.noMessages
        ) : (
          <>
            {last.direction === 'out' && `${last.sender?.client?.name ?? words.you}: `}
            <bdi>{preview(last)}</bdi>
          </>
        )}
      </span>
      {unread > 0 && (
        <span class="count">
          {number(unread)}
          <span class="unseen"> {words.unread(unread)}</span>
        </span>
      )}
    </a>
  );
}
