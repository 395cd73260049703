import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { isAdministrator, me } from '../../../api/session';
import { Button } from '../../../parts/button';
import { Empty } from '../../../parts/empty';
import { ProblemNote } from '../../../parts/problem';
import { Skeleton } from '../../../parts/skeleton';
import { inbox } from '../../../words/inbox';
import { day } from '../../../words/language';
import { shell } from '../../../words/shell';
import { team } from '../../../words/team';
import { Composer } from '../compose/composer';
import type { Outgoing } from '../compose/outbox';
import { preview } from '../list/row';
import { colleagues, hasFailed, passing } from '../list/store';
import { authorOf, type Message, nameOf } from '../types';
import { MessageItem } from './message';
import { NoteItem } from './note';
import { Notes } from './notes';
import { PendingItem } from './pending';
import { rowsOf } from './rows';
import { stateOf } from './state';
import { Thread } from './store';
import { showViewing, Viewers } from './viewers';
import './thread.css';

/** How near to the end, in pixels, counts as being there. */
const NEAR = 80;
/** How long a conversation is shown, to which somebody came step by step, before it counts as read, in milliseconds. */
const DWELL = 2_000;
/** For how long the state of an answer is to stay the same before it is read aloud, in milliseconds. */
const SETTLED = 700;

function isToday(seconds: number, daysAgo: number): boolean {
  const then = new Date();
  then.setDate(then.getDate() - daysAgo);
  return new Date(seconds * 1000).toDateString() === then.toDateString();
}

function dayWord(seconds: number): string {
  const words = inbox().thread;
  if (isToday(seconds, 0)) return words.today;
  return isToday(seconds, 1) ? words.yesterday : day(seconds);
}

/** What to send to say the same once more. */
function again(message: Message): Outgoing | undefined {
  const resends = message.id;
  // Only programs send lists.
  if (message.list_message !== undefined) return undefined;
  if (message.template !== undefined) {
    const { id, buttons } = message.template;
    const file = message.file_name === undefined ? {} : { name: message.file_name };
    return { type: 'template', template_id: id, text: message.text, buttons, ...file, resends };
  }
  if (message.type === 'text') return { type: 'text', text: message.text, resends };
  const media = /\/media\/([0-9a-f-]{16,})\//.exec(message.media ?? '')?.[1];
  if (media === undefined || (message.type !== 'picture' && message.type !== 'file')) return undefined;
  const text = message.text === '' ? {} : { text: message.text };
  return { type: message.type, media_id: media, name: message.file_name ?? '', ...text, resends };
}

/** The messages of a conversation, and the composer below them. */
export function ThreadView({ id }: { id: string }) {
  const thread = useMemo(() => new Thread(id), [id]);
  const notes = useMemo(() => new Notes(id), [id]);
  // Notes are shown as far back as messages are.
  useSignalEffect(() => {
    const next = thread.next.value;
    if (next !== undefined) void notes.reach(next === null ? 0 : (thread.messages.value[0]?.timestamp ?? 0));
  });
  useEffect(() => {
    void thread.open();
    void notes.open();
    const ends = showViewing(id);
    return () => {
      ends();
      thread.close();
      notes.close();
    };
  }, [thread]);
  const name = thread.conversation.value === undefined ? '' : nameOf(thread.conversation.value);
  if (thread.next.value === undefined) {
    const problem = thread.problem.value;
    if (problem === undefined) return <Skeleton />;
    if (problem.status === 404) return <Missing />;
    return <ProblemNote problem={problem} retry={() => void thread.open()} />;
  }
  // The thread opens at its place, which notes that arrive later would move.
  if (notes.next.value === undefined && notes.problem.value === undefined) return <Skeleton />;
  return (
    <>
      <Viewers id={id} />
      <Log thread={thread} notes={notes} name={name} />
      <Composer thread={thread} notes={notes} />
    </>
  );
}

/** A conversation that is not there looks like one that somebody may not see. */
function Missing() {
  return (
    <Empty title={inbox().thread.missing}>{!isAdministrator.value && <p class="soft">{shell().rights.text}</p>}</Empty>
  );
}

/** The items of the log: they are one stop of Tab, and arrows move within them. */
const ITEM = '[data-message], [data-note]';

function Log({ thread, notes, name }: { thread: Thread; notes: Notes; name: string }) {
  const words = inbox().thread;
  const log = useRef<HTMLDivElement>(null);
  const opened = useSignal<ReadonlySet<string>>(new Set());
  /** Where the Tab key stops; the newest message when nobody chose another. */
  const stop = useSignal<string | undefined>(undefined);
  const atEnd = useSignal(true);
  const missed = useSignal(0);
  const rows = useComputed(() =>
    rowsOf({
      messages: thread.messages.value,
      notes: notes.shown.value,
      firstUnread: thread.firstUnread.value,
      opened: opened.value,
    }),
  );
  const messages = thread.messages.value;
  const newest = messages.at(-1)?.id;
  const items = rows.value.filter((row) => row.is === 'message' || row.is === 'note');
  const [first, last] = [items[0], items.at(-1)];
  const stopAt = stop.value ?? last?.key;
  const before = useRef({ height: 0, first: first?.key, last: last?.key, newest, pending: 0 });

  // Opens at the line above the unread, else at the end.
  useLayoutEffect(() => {
    const element = log.current;
    if (element === null) return;
    const line = element.querySelector('.unread-line');
    if (line === null) element.scrollTop = element.scrollHeight;
    // Not by `scrollIntoView`, which scrolls everything around the log too.
    else element.scrollTop += line.getBoundingClientRect().top - element.getBoundingClientRect().top;
    before.current = { ...before.current, height: element.scrollHeight };
    look();
  }, []);

  // Whoever reads at the end stays there; whoever reads above is not moved, whatever arrives above or below.
  useLayoutEffect(() => {
    const element = log.current;
    if (element === null) return;
    const was = before.current;
    const pending = thread.pending.value.length;
    const isOwnNote = was.last !== last?.key && last?.is === 'note' && last.note.user.id === me.peek()?.user.id;
    if (was.first !== first?.key && was.last === last?.key) element.scrollTop += element.scrollHeight - was.height;
    else if (atEnd.peek() || pending > was.pending || isOwnNote) element.scrollTop = element.scrollHeight;
    else if (was.newest !== newest) {
      const at = messages.findIndex((message) => message.id === was.newest);
      missed.value += messages.slice(at + 1).filter((message) => message.direction === 'in').length;
    }
    before.current = { height: element.scrollHeight, first: first?.key, last: last?.key, newest, pending };
    look();
  }, [messages, thread.pending.value, notes.shown.value]);

  function look(): void {
    const element = log.current;
    if (element === null) return;
    atEnd.value = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    if (atEnd.value) {
      missed.value = 0;
      if (!document.hidden) thread.look();
      if (!document.hidden && passing.peek() !== thread.id) void thread.read();
    }
    if (element.scrollTop < NEAR) older();
  }

  function older(): void {
    void thread.older();
    void notes.more();
  }

  // Who steps through the list reads what they stay at, and not what they pass: it is read for all users.
  useEffect(() => {
    if (passing.peek() !== thread.id) return undefined;
    const timer = setTimeout(() => {
      passing.value = undefined;
      look();
    }, DWELL);
    return () => clearTimeout(timer);
  }, []);

  // A composer that grows takes its place from the log, whose end stays in view.
  useEffect(() => {
    const element = log.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(() => {
      if (atEnd.peek()) element.scrollTop = element.scrollHeight;
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // What came while the page was hidden is read when somebody looks at it.
  useEffect(() => {
    const seen = (): void => look();
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, []);

  const toEnd = (): void => {
    if (log.current !== null) log.current.scrollTop = log.current.scrollHeight;
  };

  const onKeyDown = (event: KeyboardEvent): void => {
    const here = (event.target as Element).closest(ITEM);
    if (here === null || event.target !== here) {
      // Within a message, Escape comes back to it.
      if (event.code === 'Escape' && here instanceof HTMLElement) here.focus();
      return;
    }
    const all = [...(log.current?.querySelectorAll<HTMLElement>(ITEM) ?? [])];
    const at = all.indexOf(here as HTMLElement);
    const steps: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: all.length - 1 };
    if (event.code === 'Enter') here.querySelector<HTMLElement>('a, button')?.focus();
    const wanted = all[steps[event.code] ?? -1];
    if (wanted === undefined) return;
    event.preventDefault();
    wanted.focus();
  };

  // What becomes of the newest answer is read aloud once it has settled: sent, delivered and read may come at once.
  const answer = messages.findLast((message) => message.direction === 'out' && message.imported !== true);
  const state = answer === undefined ? '' : (stateOf(answer)?.word ?? '');
  const saidState = useSignal('');
  const firstState = useRef(true);
  useEffect(() => {
    if (firstState.current) {
      firstState.current = false;
      return;
    }
    const timer = setTimeout(() => {
      saidState.value = state === '' ? '' : inbox().state.announce(state);
    }, SETTLED);
    return () => clearTimeout(timer);
  }, [answer?.id, state]);
  const hasTrouble = thread.conversation.value !== undefined && hasFailed(thread.conversation.value);
  const arrived = thread.arrived.value;
  const note = notes.arrived.value;
  const typing = thread.conversation.value?.typing;
  const colleague = colleagues.value.get(thread.id);
  const isTyping = typing !== null && typing !== undefined && typing.until * 1000 > Date.now();
  return (
    <div class="log-area">
      <div class="log" ref={log} onScroll={look} onKeyDown={onKeyDown} role="log" aria-live="off" aria-label={words.label(name)} tabIndex={-1}>
        {thread.next.value === null && !notes.lacks.value ? (
          <p class="begin">{words.begin}</p>
        ) : (
          <p class="begin">
            <Button busy={thread.loading.value} onClick={older}>
              {words.older}
            </Button>
          </p>
        )}
        {rows.value.map((row) => {
          if (row.is === 'day') {
            return (
              <p class="day" key={row.key}>
                <span>{dayWord(row.at)}</span>
              </p>
            );
          }
          if (row.is === 'unread') {
            return (
              <p class="unread-line" key={row.key}>
                <span>{words.newest}</span>
              </p>
            );
          }
          if (row.is === 'fold') {
            const first = row.messages[0]?.id ?? '';
            const isOpen = opened.value.has(first);
            return (
              <p class="fold" key={row.key}>
                <button
                  type="button"
                  aria-expanded={isOpen}
                  onClick={() => {
                    const now = new Set(opened.value);
                    if (!now.delete(first)) now.add(first);
                    opened.value = now;
                  }}
                >
                  {words.silent(row.messages.length)} · {isOpen ? words.hide : words.show}
                </button>
              </p>
            );
          }
          if (row.is === 'note') {
            return (
              <NoteItem
                key={row.key}
                note={row.note}
                notes={notes}
                isStop={row.key === stopAt}
                onFocus={() => {
                  stop.value = row.key;
                }}
              />
            );
          }
          const { message } = row;
          const repeat = again(message);
          return (
            <MessageItem
              key={row.key}
              message={message}
              isStop={row.key === stopAt}
              onFocus={() => {
                stop.value = row.key;
              }}
              onAgain={repeat === undefined ? undefined : () => void thread.send(repeat)}
              onWithdraw={() => void thread.withdraw(message.id)}
              onDismiss={hasTrouble ? () => void thread.dismiss() : undefined}
            />
          );
        })}
        {thread.pending.value.map((pending) => (
          <PendingItem key={pending.key} pending={pending} thread={thread} />
        ))}
      </div>
      {thread.problem.value !== undefined && <ProblemNote problem={thread.problem.value} />}
      {notes.problem.value !== undefined && <ProblemNote problem={notes.problem.value} retry={() => void notes.open()} />}
      <p class="typing-line" role="status">
        {isTyping ? words.typing(name) : colleague === undefined ? '' : words.typing(colleague.name)}
      </p>
      {/* Only what customers and colleagues write is read aloud, and only what is new. */}
      <p class="unseen" role="status">
        {arrived === undefined ? '' : words.arrived(arrived.sender?.name ?? name, preview(arrived))}
      </p>
      <p class="unseen" role="status">
        {note === undefined ? '' : team().note.arrived(authorOf(note.user), note.text ?? '')}
      </p>
      <p class="unseen" role="status">
        {saidState.value}
      </p>
      {!atEnd.value && (
        <button type="button" class="to-end" onClick={toEnd}>
          ▼ {missed.value > 0 ? words.fresh(missed.value) : words.toEnd}
        </button>
      )}
    </div>
  );
}
