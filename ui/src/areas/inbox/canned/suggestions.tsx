import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../../parts/button';
import { Icon } from '../../../parts/icon';
import { useLoad } from '../../../parts/load';
import { ProblemNote } from '../../../parts/problem';
import { canned as words } from '../../../words/canned';
import { type CannedReply, type Slash, cannedFor, insert, matching, slashBefore } from './canned';
import './suggestions.css';

/** The number of letters of a text that its entry has: more than its two lines show. */
const BEGINNING = 300;

/**
 * What the text area has of an open list. Its role says that the arrows move in a list, which screen readers announce; the
 * types of the elements know no text area with this role.
 */
export type Combobox = Record<string, string | boolean | undefined>;

interface Props {
  conversation: string;
  area: RefObject<HTMLTextAreaElement | null>;
  /** The text in the area, which also changes without a key. */
  text: Signal<string>;
  onChoose: (reply: CannedReply) => void;
  onManage: () => void;
  /** The text area. It gets what it must carry, and what hears its keys and its texts. */
  children: (open: Combobox, hear: { onInput: () => void; onKeyDown: (event: KeyboardEvent) => boolean }) => ComponentChildren;
}

/** A text area in which a slash opens the canned replies: what is typed behind it finds them. */
export function WithSuggestions({ conversation, area, text, onChoose, onManage, children }: Props) {
  const id = useId();
  const slash = useSignal<Slash | undefined>(undefined);
  /** The place of a slash whose list was closed: it stays closed until another slash is typed. */
  const left = useRef<number | undefined>(undefined);
  const at = useSignal(0);
  const shown = useSignal<readonly CannedReply[] | undefined>(undefined);
  const isInserting = useRef(false);
  const close = (): void => {
    left.current = slash.peek()?.at;
    slash.value = undefined;
  };
  const look = (): void => {
    const field = area.current;
    if (field === null || isInserting.current) return;
    const found = field.selectionStart === field.selectionEnd ? slashBefore(field.value, field.selectionStart) : undefined;
    if (found?.at !== left.current) left.current = undefined;
    at.value = 0;
    slash.value = left.current === undefined ? found : undefined;
  };
  // A text that was sent, or that another page has written, has no slash there.
  useLayoutEffect(() => {
    const from = slash.peek();
    if (from !== undefined && text.value[from.at] !== '/') slash.value = undefined;
  }, [text.value]);
  const [open, replies] = [slash.value, shown.value];
  const found = open === undefined || replies === undefined ? [] : matching(replies, open.words);
  // A sentence that goes on behind a slash asks for nothing.
  const isOpen = open !== undefined && !(replies !== undefined && found.length === 0 && open.words.includes(' '));
  const place = Math.min(at.value, found.length - 1);
  const marked = found[place];
  const nameOf = (reply: CannedReply): string => `${id}-${reply.id}`;
  const choose = (reply: CannedReply): void => {
    const [field, from] = [area.current, slash.peek()];
    if (field === null || from === undefined || reply.text === null) return;
    isInserting.current = true;
    insert(field, from.at, from.at + 1 + from.words.length, reply.text);
    isInserting.current = false;
    slash.value = undefined;
    onChoose(reply);
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
    const steps: Record<string, number> = { ArrowDown: place + 1, ArrowUp: place - 1 };
    const next = steps[event.code];
    if (event.code === 'Escape') close();
    else if (next !== undefined && found.length > 0) at.value = (next + found.length) % found.length;
    else if (event.code === 'Enter' && !event.shiftKey && (marked !== undefined || replies === undefined)) {
      if (marked !== undefined && !event.repeat) choose(marked);
    } else return false;
    event.preventDefault();
    return true;
  };
  const combobox: Combobox = isOpen
    ? {
        role: 'combobox',
        'aria-expanded': true,
        'aria-autocomplete': 'list',
        'aria-haspopup': 'listbox',
        'aria-controls': `${id}-list`,
        'aria-activedescendant': marked === undefined ? undefined : nameOf(marked),
      }
    : {};
  const says = !isOpen ? '' : replies === undefined ? words().loading : words().found(found.length);
  return (
    <div
      class="canned-area"
      onFocusOut={(event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) slash.value = undefined;
      }}
      onKeyDown={(event) => {
        if (!isOpen || event.code !== 'Escape' || event.target === area.current) return;
        event.preventDefault();
        area.current?.focus();
        close();
      }}
    >
      {children(combobox, { onInput: look, onKeyDown })}
      <p class="unseen" role="status">
        {says}
      </p>
      {isOpen && (
        <Suggestions
          id={id}
          conversation={conversation}
          found={found}
          marked={marked}
          nameOf={nameOf}
          onLoaded={(loaded) => (shown.value = loaded)}
          onChoose={choose}
          onRetry={() => area.current?.focus()}
          onManage={() => {
            area.current?.focus();
            close();
            onManage();
          }}
        />
      )}
    </div>
  );
}

interface ListProps {
  id: string;
  conversation: string;
  found: readonly CannedReply[];
  marked: CannedReply | undefined;
  nameOf: (reply: CannedReply) => string;
  onLoaded: (replies: readonly CannedReply[] | undefined) => void;
  onChoose: (reply: CannedReply) => void;
  /** What had the focus, the way to try again, is about to go. */
  onRetry: () => void;
  onManage: () => void;
}

/** The list below the text area, asked for when it opens. */
function Suggestions({ id, conversation, found, marked, nameOf, onLoaded, onChoose, onRetry, onManage }: ListProps) {
  const { data, problem, reload } = useLoad(conversation, (signal) => cannedFor(conversation, signal));
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    onLoaded(data.value);
  }, [data.value]);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [marked?.id]);
  const groups = [
    { label: words().mine, replies: found.filter((it) => !it.is_shared) },
    { label: words().shared, replies: found.filter((it) => it.is_shared) },
  ].filter(({ replies }) => replies.length > 0);
  const isEmpty = data.value !== undefined && found.length === 0;
  return (
    <div
      class="canned-suggestions"
      onMouseDown={(event) => {
        // The text area keeps the focus, without which the list closes.
        if (event.target instanceof Element && event.target.closest('button') === null) event.preventDefault();
      }}
    >
      <div class="canned-list" id={`${id}-list`} ref={list} role="listbox" aria-label={words().title}>
        {groups.map(({ label, replies }) => (
          <div key={label} role="group" aria-label={label}>
            <span class="canned-group" aria-hidden="true">
              {label}
            </span>
            {replies.map((reply) => (
              <div
                key={reply.id}
                id={nameOf(reply)}
                class="canned-option"
                role="option"
                aria-selected={reply === marked}
                aria-disabled={reply.text === null || undefined}
                onClick={() => onChoose(reply)}
              >
                <strong dir="auto">{reply.name}</strong>
                {reply.file !== null && (
                  <span class="soft">
                    <Icon name={reply.file.type === 'picture' ? 'picture' : 'file'} /> <bdi>{reply.file.file_name}</bdi>
                  </span>
                )}
                <span class="soft canned-beginning" dir="auto">
                  {reply.text === null ? words().tooLong : reply.text.slice(0, BEGINNING)}
                </span>
              </div>
            ))}
          </div>
        ))}
      </div>
      {problem.value !== undefined && (
        <ProblemNote
          problem={problem.value}
          retry={() => {
            onRetry();
            reload();
          }}
        />
      )}
      {data.value === undefined && problem.value === undefined && <p class="soft">{words().loading}</p>}
      {isEmpty && <p class="soft">{data.value?.length === 0 ? words().none : words().found(0)}</p>}
      <p>
        <Button look="quiet" icon="edit" onClick={onManage}>
          {words().manage}
        </Button>
      </p>
    </div>
  );
}
