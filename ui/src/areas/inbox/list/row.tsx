import { me } from '../../../api/session';
import { Icon } from '../../../parts/icon';
import { Initials } from '../../../parts/initials';
import { inbox } from '../../../words/inbox';
import { number, shortMoment } from '../../../words/language';
import { outbox } from '../compose/outbox';
import { type Conversation, type Message, authorOf, nameOf, portrait } from '../types';
import './row.css';
import { addressOf } from './filters';
import { around, hasFailed, isHeldUp, owner, picture } from './store';

/** The height of a row, in pixels. */
export const ROW = 66;

/** What a message is in one line. */
export function preview(message: Message): string {
  const said = message.text.trim();
  if (said !== '') return said;
  return [inbox().kinds[message.type], message.file_name ?? message.contact?.name].filter(Boolean).join(': ');
}

/** Who wrote a message of the account: oneself, or somebody by name. A customer is named above the text. */
function writerOf({ direction, sender }: Message): string {
  if (direction === 'in') return '';
  const isOwn = sender?.client === undefined && sender?.id === me.value?.chat_id;
  return isOwn ? inbox().list.you : authorOf(sender);
}

export function Row({ conversation, isSelected }: { conversation: Conversation; isSelected: boolean }) {
  const words = inbox().list;
  const { customer, channel, unread } = conversation;
  const state = words.states[conversation.status];
  const last = conversation.found ?? conversation.last_message;
  const name = nameOf(conversation);
  const isUnsent = outbox.value.get(conversation.id)?.some((pending) => pending.problem !== undefined) === true;
  const mark = isUnsent ? words.unsent : hasFailed(conversation) ? words.failed : isHeldUp(conversation) ? words.retrying : '';
  const writer = last === null ? '' : writerOf(last);
  const isTyping = (conversation.typing?.until ?? 0) * 1000 > Date.now();
  const link = (
    <a
      class={unread > 0 ? 'conversation unread' : 'conversation'}
      href={addressOf(conversation.id)}
      aria-current={isSelected ? 'true' : undefined}
    >
      <Initials name={name} picture={portrait(customer)} />
      <span class="name">
        <bdi>{name}</bdi>
        {channel !== null && (
          <span class="channel">
            {' · '}
            {picture.value?.(channel.kind)}
            {channel.title}
          </span>
        )}
      </span>
      <time dateTime={new Date(conversation.active_at * 1000).toISOString()}>{shortMoment(conversation.active_at)}</time>
      <span class="last">
        {isTyping ? (
          <em>{words.typing}</em>
        ) : last === null ? (
          words.noMessages
        ) : (
          <>
            {writer !== '' && (
              <>
                <bdi>{writer}</bdi>:{' '}
              </>
            )}
            <bdi>{preview(last)}</bdi>
          </>
        )}
      </span>
      <span class="marks">
        {/* Of a message that may be another than the one beside it. */}
        {mark !== '' && (
          <span class={mark === words.retrying ? 'mark warn' : 'mark bad'}>
            <Icon name={mark === words.retrying ? 'retry' : 'warning'} /> {mark}
          </span>
        )}
        {mark === '' && state !== undefined && <span class="mark soft">{state}</span>}
        {owner.value?.(conversation)}
        {unread > 0 && (
          <span class="count">
            {number(unread)}
            <span class="unseen"> {words.unread(unread)}</span>
          </span>
        )}
      </span>
    </a>
  );
  return around.value?.(conversation, link) ?? link;
}
