import { useSignal } from '@preact/signals';
import type { JSX, RefObject } from 'preact';
import { useEffect, useId } from 'preact/hooks';
import { Problem } from '../../../api/client';
import { team } from '../../../words/team';
import { begun, type Mentions } from './mentions';
import './note-area.css';

interface Props extends Omit<JSX.IntrinsicElements['textarea'], 'ref' | 'value' | 'label'> {
  area: RefObject<HTMLTextAreaElement | null>;
  text: string;
  mentions: Mentions;
  onText: (text: string) => void;
  onSave: () => void;
  onLeave: (area: HTMLTextAreaElement) => void;
}

/** The text area of a note. An @ suggests users; below stand those whom the note mentions, and who of them cannot view the conversation. */
export function NoteArea({ area, text, mentions, onText, onSave, onLeave, ...rest }: Props) {
  const words = team().mention;
  const id = useId();
  /** The place of the caret; undefined while no users are to be suggested. */
  const caret = useSignal<number | undefined>(undefined);
  const active = useSignal(0);
  useEffect(() => {
    mentions.need(text).catch((failure: unknown) => {
      // Saving asks again, and says why it cannot.
      if (!(failure instanceof Problem)) throw failure;
    });
  }, [text, mentions, mentions.users.value]);
  const name = caret.value === undefined ? undefined : begun(text, caret.value);
  const suggested = name === undefined ? [] : mentions.suggest(name.prefix);
  const at = Math.min(active.value, suggested.length - 1);
  const close = (): void => {
    caret.value = undefined;
  };
  const choose = (place: number): void => {
    const [shown, user] = [area.current, suggested[place]];
    if (shown === null || user === undefined || name === undefined) return;
    shown.focus();
    shown.setSelectionRange(name.from, name.from + name.prefix.length + 1);
    // One step of undo, where the browser has that.
    if (!document.execCommand('insertText', false, `@${user.name} `)) shown.setRangeText(`@${user.name} `, name.from, name.from + name.prefix.length + 1, 'end');
    onText(shown.value);
    close();
  };
  const handled = (event: KeyboardEvent): boolean => {
    if (suggested.length === 0 || event.isComposing || event.ctrlKey || event.metaKey) return false;
    if (event.code === 'ArrowDown' || event.code === 'ArrowUp') active.value = (at + (event.code === 'ArrowDown' ? 1 : suggested.length - 1)) % suggested.length;
    else if (event.code === 'Enter' || (event.code === 'Tab' && !event.shiftKey)) choose(at);
    else if (event.code === 'Escape') close();
    else return false;
    return true;
  };
  const all = mentions.of(text);
  const strangers = all.filter((user) => !user.may_view);
  const list = (users: typeof all): string => users.map((user) => user.name).join(', ');
  return (
    <>
      <div class="note-area">
        <textarea
          {...rest}
          ref={area}
          dir="auto"
          rows={Math.min(8, Math.max(2, text.split('\n').length))}
          value={text}
          aria-autocomplete="list"
          aria-controls={suggested.length > 0 ? `${id}list` : undefined}
          aria-activedescendant={suggested.length > 0 ? `${id}${at}` : undefined}
          onInput={(event) => {
            onText(event.currentTarget.value);
            caret.value = event.currentTarget.selectionStart;
            active.value = 0;
          }}
          onSelect={(event) => {
            if (caret.peek() !== undefined) caret.value = event.currentTarget.selectionStart;
          }}
          onBlur={close}
          onKeyDown={(event) => {
            if (handled(event)) {
              event.preventDefault();
              event.stopPropagation();
            } else if (event.code === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing) {
              event.preventDefault();
              onSave();
            } else if (event.code === 'Escape') {
              event.preventDefault();
              onLeave(event.currentTarget);
            }
          }}
        />
        {suggested.length > 0 && (
          <ul class="suggested" role="listbox" id={`${id}list`} aria-label={words.suggested}>
            {suggested.map((user, place) => (
              <li
                key={user.id}
                id={`${id}${place}`}
                role="option"
                aria-selected={place === at}
                // The text area keeps the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => choose(place)}
              >
                <bdi>{user.name}</bdi>
                {!user.may_view && <span class="soft"> · {words.cannotView}</span>}
              </li>
            ))}
          </ul>
        )}
      </div>
      <p class="soft mentioned" role="status">
        {all.length > 0 && words.mentions(list(all))} {strangers.length > 0 && <strong>{words.strangers(list(strangers))}</strong>}
      </p>
    </>
  );
}
