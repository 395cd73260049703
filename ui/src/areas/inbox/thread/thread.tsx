import { useComputed, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { isAdministrator } from '../../../api/session';
import { Button } from '../../../parts/button';
import { Empty } from '../../../parts/empty';
import { ProblemNote } from '../../../parts/problem';
import { Skeleton } from '../../../parts/skeleton';
import { inbox } from '../../../words/inbox';
import { day } from '../../../words/language';
import { shell } from '../../../words/shell';
import { Composer } from '../compose/composer';
import type { Outgoing } from '../compose/outbox';
import { preview } from '../list/row';
import { colleagues, hasFailed, passing } from '../list/store';
import { type Message, nameOf } from '../types';
import { MessageItem } from './message';
import { PendingItem } from './pending';
import { rowsOf } from './rows';
import { stateOf } from './state';
import { Thread } from './store';
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
  if (message.type === 'text') return { type: 'text', text: message.text, resends };
  const media = /\/media\/([0-9a-f-]{16,})\//.exec(message.media ?? '')?.[1];
  if (media === undefined || (message.type !== 'picture' && message.type !== 'file')) return undefined;
  const text = message.text === '' ? {} : { text: message.text };
  return { type: message.type, media_id: media, name: message.file_name ?? '', ...text, resends };
}

/** The messages of a conversation, and the composer below them. */
export function ThreadView({ id }: { id: string }) {
  const thread = useMemo(() => new Thread(id), [id]);
  useEffect(() => {
    void thread.open();
    return () => thread.close();
  }, [thread]);
  const name = thread.conversation.value === undefined ? '' : nameOf(thread.conversation.value);
  if (thread.next.value === undefined) {
    const problem = thread.problem.value;
    if (problem === undefined) return <Skeleton />;
    if (problem.status === 404) return <Missing />;
    return <ProblemNote problem={problem} retry={() => void thread.open()} />;
  }
  return (
    <>
      <Log thread={thread} name={name} />
      <Composer thread={thread} />
    </>
  );
}

/** A conversation that is not there looks like one that somebody may not see. */
function Missing() {
  return (
    <Empty title={inbox().thread.missing}>{!isAdministrator.value && <p class="soft">{shell().rights.text}</p>}</Empty>
  );
}

function Log({ thread, name }: { thread: Thread; name: string }) {
  const words = inbox().thread;
  const log = useRef<HTMLDivElement>(null);
  const opened = useSignal<ReadonlySet<string>>(new Set());
  /** Where the Tab key stops; the newest message when nobody chose another. */
  const stop = useSignal<string | undefined>(undefined);
  const atEnd = useSignal(true);
  const missed = useSignal(0);
  const rows = useComputed(() => rowsOf(thread.messages.value, thread.firstUnread.value, opened.value));
  const messages = thread.messages.value;
  const newest = messages.at(-1)?.id;
  const stopAt = stop.value ?? newest;
  const before = useRef({ height: 0, first: messages[0]?.id, last: newest, pending: 0 });

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
    if (was.first !== messages[0]?.id && was.last === newest) element.scrollTop += element.scrollHeight - was.height;
    else if (atEnd.peek() || pending > was.pending) element.scrollTop = element.scrollHeight;
    else if (was.last !== newest) {
      const at = messages.findIndex((message) => message.id === was.last);
      missed.value += messages.slice(at + 1).filter((message) => message.direction === 'in').length;
    }
    before.current = { height: element.scrollHeight, first: messages[0]?.id, last: newest, pending };
    look();
  }, [messages, thread.pending.value]);

  function look(): void {
    const element = log.current;
    if (element === null) return;
    atEnd.value = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR;
    if (atEnd.value) {
      missed.value = 0;
      if (!document.hidden && passing.peek() !== thread.id) void thread.read();
    }
    if (element.scrollTop < NEAR) void thread.older();
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
    const here = (event.target as Element).closest('[data-message]');
    if (here === null || event.target !== here) {
      // Within a message, Escape comes back to it.
      if (event.code === 'Escape' && here instanceof HTMLElement) here.focus();
      return;
    }
    const all = [...(log.current?.querySelectorAll<HTMLElement>('[data-message]') ?? [])];
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
  const typing = thread.conversation.value?.typing;
  const colleague = colleagues.value.get(thread.id);
  const isTyping = typing !== null && typing !== undefined && typing.until * 1000 > Date.now();
  return (
    <div class="log-area">
      <div class="log" ref={log} onScroll={look} onKeyDown={onKeyDown} role="log" aria-live="off" aria-label={words.label(name)} tabIndex={-1}>
        {thread.next.value === null ? (
          <p class="begin">{words.begin}</p>
        ) : (
          <p class="begin">
            <Button busy={thread.loading.value} onClick={() => void thread.older()}>
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
          const { message } = row;
          const repeat = again(message);
          return (
            <MessageItem
              key={row.key}
              message={message}
              isStop={message.id === stopAt}
              onFocus={() => {
                stop.value = message.id;
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
      <p class="typing-line" role="status">
        {isTyping ? words.typing(name) : colleague === undefined ? '' : words.typing(colleague.name)}
      </p>
      {/* Only what customers write is read aloud, and only what is new. */}
      <p class="unseen" role="status">
        {arrived === undefined ? '' : words.arrived(arrived.sender?.name ?? name, preview(arrived))}
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
