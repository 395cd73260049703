import { useSignal } from '@preact/signals';
import { Copy } from '../../../parts/copy';
import { Icon } from '../../../parts/icon';
import { Outside, ownPath } from '../../../parts/outside';
import { inbox } from '../../../words/inbox';
import { bytes } from '../../../words/language';
import { templates } from '../../../words/templates';
import { MessageButtons } from '../template/buttons';
import { MessageList } from '../template/list';
import { authorOf, type Message, type Quote } from '../types';
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
      {message.list_message?.header != null && (
        <p dir="auto">
          <strong>{message.list_message.header}</strong>
        </p>
      )}
      {message.text !== '' && <LongText key={message.id} text={message.text} />}
      {message.template !== undefined && <MessageButtons buttons={message.template.buttons} />}
      {message.list_message !== undefined && <MessageList list={message.list_message} />}
      {message.pressed !== undefined && (
        <p class="soft" dir="auto">
          {templates().pressed(message.pressed.text)}
        </p>
      )}
      {message.reactions !== undefined && (
        <p class="reactions">
          {message.reactions.map((reaction, at) => (
            <span key={at} title={reaction.client?.name}>
              {reaction.emoji}
            </span>
          ))}
        </p>
      )}
    </>
  );
}

/** How much of a text is shown at once: more is folded. */
const [LETTERS, LINES] = [1_200, 20];

/** The beginning of a text that is too long to be shown at once, to the end of a word; undefined for others. */
function shortened(text: string): string | undefined {
  const lines = text.split('\n');
  const few = lines.slice(0, LINES).join('\n');
  if (lines.length <= LINES + 1 && few.length <= LETTERS * 1.1) return undefined;
  const head = few.slice(0, LETTERS);
  const space = head.lastIndexOf(' ');
  // Not between the halves of one sign.
  return (few.length <= LETTERS ? few : space > LETTERS / 2 ? head.slice(0, space) : [...head].slice(0, -1).join('')).trimEnd();
}

/** A text that is folded when it is long. */
export function LongText({ text }: { text: string }) {
  const words = inbox().thread;
  const isOpen = useSignal(false);
  const head = shortened(text);
  return (
    <>
      <p class="text" dir="auto">
        {head === undefined || isOpen.value ? text : `${head}…`}
      </p>
      {head !== undefined && (
        <button type="button" class="link unfold" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
          {isOpen.value ? words.fold : words.unfold(text.length)}
        </button>
      )}
    </>
  );
}

function Quoted({ quote, isForward = false }: { quote: Quote; isForward?: boolean }) {
  return (
    <blockquote>
      <span class="soft">{isForward ? inbox().thread.forwarded : authorOf(quote.sender)}</span>
      <p class="text" dir="auto">
        {shortened(quote.text ?? quote.type ?? '') ?? quote.text ?? quote.type}
      </p>
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
          <bdi>{contact.name}</bdi>
          {contact.phone !== undefined && (
            <>
              <br />
              {contact.phone} <Copy text={contact.phone} of={contact.phone} />
            </>
          )}
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
  const isShown = type === 'picture' || type === 'sticker';
  // A copy that browsers do not draw, such as an animated sticker or a photograph in HEIC, has no thumbnail.
  const itself = copy == null && type === 'picture' ? own : undefined;
  const thumbnail = ownPath(copy?.thumbnail ?? message.thumbnail) ?? itself;
  if (isShown && own !== undefined && thumbnail !== undefined) {
    return (
      <a class={type} href={own} target="_blank" rel="noopener" data-leave>
        <img src={thumbnail} alt={name === '' ? words.kinds[type] : name} loading="lazy" />
      </a>
    );
  }
  return (
    <p class="attachment">
      <Icon name={type === 'picture' ? 'picture' : 'file'} />
      <span>
        <span class="soft">{words.kinds[type]}</span> <bdi>{name}</bdi>{' '}
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
