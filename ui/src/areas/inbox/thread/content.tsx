import { Copy } from '../../../parts/copy';
import { Icon } from '../../../parts/icon';
import { Outside, ownPath } from '../../../parts/outside';
import { inbox } from '../../../words/inbox';
import { bytes } from '../../../words/language';
import type { Message, Quote } from '../types';
import './content.css';

/** What a message says. All of it is somebody's text, and is shown as text. */
export function Content({ message }: { message: Message }) {
  return (
    <>
      {message.reply_to !== undefined && <Quoted quote={message.reply_to} />}
      {message.forwards?.map((quote, at) => (
        <Quoted key={at} quote={quote} isForward />
      ))}
      <Attachment message={message} />
      {message.text !== '' && <p class="text">{message.text}</p>}
      {message.reactions !== undefined && (
        <p class="reactions">
          {message.reactions.map((reaction, at) => (
            <span key={at}>{reaction.emoji}</span>
          ))}
        </p>
      )}
    </>
  );
}

function Quoted({ quote, isForward = false }: { quote: Quote; isForward?: boolean }) {
  return (
    <blockquote>
      <span class="soft">{isForward ? inbox().thread.forwarded : (quote.sender?.name ?? '')}</span>
      <p class="text">{quote.text ?? quote.type ?? ''}</p>
    </blockquote>
  );
}

function Attachment({ message }: { message: Message }) {
  const words = inbox();
  const { type, location, contact } = message;
  const copy = message.media_check?.copy;
  const media = copy?.media ?? message.media;
  if (type === 'contact' && contact !== undefined) {
    return (
      <p class="attachment">
        <Icon name="contacts" />
        <span>
          {contact.name}
          <br />
          {contact.phone} <Copy text={contact.phone} of={contact.phone} />
        </span>
      </p>
    );
  }
  if (type === 'location' && location !== undefined) {
    const text = `${location.lat}, ${location.lon}`;
    return (
      <p class="attachment">
        <Icon name="place" />
        <span>
          {words.thread.coordinates}: {text} <Copy text={text} of={words.thread.coordinates} />
        </span>
      </p>
    );
  }
  if (type === 'text') return null;
  const name = message.file_name ?? '';
  const own = ownPath(media);
  const thumbnail = ownPath(copy?.thumbnail ?? message.thumbnail) ?? (type === 'picture' && own !== undefined ? own : undefined);
  if (type === 'picture' && own !== undefined && thumbnail !== undefined) {
    return (
      <a class="picture" href={own} target="_blank" rel="noopener" data-leave>
        <img src={thumbnail} alt={name === '' ? words.kinds.picture : name} loading="lazy" />
      </a>
    );
  }
  return (
    <p class="attachment">
      <Icon name={type === 'picture' ? 'picture' : 'file'} />
      <span>
        <span class="soft">{words.kinds[type]}</span> {name}{' '}
        {message.file_size !== undefined && message.file_size > 0 && <span class="soft">{bytes(message.file_size)}</span>}
        <br />
        {own !== undefined && (
          <a href={own} download={name}>
            {words.thread.openFile}
          </a>
        )}
        {own === undefined && media !== undefined && (
          <>
            <Outside to={media}>{words.thread.openFile}</Outside>
            <span class="unseen"> {words.thread.elsewhere}</span>
          </>
        )}
        {message.media_check?.state === 'unreachable' && (
          <span class="bad">
            {words.thread.unreachable} {message.media_check.reason}
          </span>
        )}
      </span>
    </p>
  );
}
