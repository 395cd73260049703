import { Icon } from '../../../parts/icon';
import { Initials } from '../../../parts/initials';
import { inbox } from '../../../words/inbox';
import { number, shortMoment } from '../../../words/language';
import { type Conversation, type Message, portrait } from '../types';
import './row.css';
import { hasFailed } from './store';

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
  const name = customer?.name ?? conversation.client_id ?? conversation.id;
  const isTyping = (conversation.typing?.until ?? 0) * 1000 > Date.now();
  return (
    <a
      class={unread > 0 ? 'conversation unread' : 'conversation'}
      href={`/conversations/${conversation.id}`}
      aria-current={isSelected ? 'true' : undefined}
    >
      <Initials name={name} picture={portrait(customer)} />
      <span class="name">{name}</span>
      <time dateTime={new Date(conversation.active_at * 1000).toISOString()}>{shortMoment(conversation.active_at)}</time>
      <span class="last">
        {channel !== null && <span class="channel">{channel.name} · </span>}
        {hasFailed(conversation) && (
          <span class="bad">
            <Icon name="warning" /> {words.failed}:{' '}
          </span>
        )}
        {isTyping ? (
          <em>{words.typing}</em>
        ) : last === null ? (
          words.noMessages
        ) : (
          <>
            {last.direction === 'out' && `${words.you}: `}
            {preview(last)}
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
