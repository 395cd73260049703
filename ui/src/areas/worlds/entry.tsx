import { useSignal } from '@preact/signals';
import { Badge } from '../../parts/badge';
import type { IconName } from '../../parts/icon';
import { requests } from '../../words/requests';
import { worlds } from '../../words/worlds';
import { Body } from '../operator/body';
import { Moment } from '../operator/program';
import { Status } from '../operator/status';
import { secondsOf } from './address';
import type { CallbackEntry, Entry, HookEntry, NoteEntry, QuestionEntry, RequestEntry } from './types';

const ICONS: Record<Entry['kind'], IconName> = {
  request: 'requests',
  callback: 'callbacks',
  hook: 'callbacks',
  question: 'callbacks',
  note: 'edit',
};

/** Something that happened: a line, and the bodies for whoever asks. */
export function EntryRow({ entry }: { entry: Entry }) {
  const isOpen = useSignal(false);
  if (entry.kind === 'note') {
    return (
      <li>
        <div class="happening">
          <Line entry={entry} />
        </div>
      </li>
    );
  }
  return (
    <li>
      <details onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
        <summary class="happening">
          <Line entry={entry} />
        </summary>
        {/* A thousand bodies would be in the page otherwise. */}
        {isOpen.value && <Bodies entry={entry} />}
      </details>
    </li>
  );
}

function Line({ entry }: { entry: Entry }) {
  return (
    <>
      <Moment at={secondsOf(entry.at)} />
      <Badge icon={ICONS[entry.kind]}>{worlds().journal.of[entry.kind]}</Badge>
      <span class="what">{textOf(entry)}</span>
      {entry.kind === 'request' && <Answered entry={entry} />}
      {entry.kind !== 'request' && entry.kind !== 'note' && <Came entry={entry} />}
    </>
  );
}

function textOf(entry: Entry): string {
  if (entry.kind === 'note') return `${entry.who} ${entry.what}`;
  return entry.kind === 'hook' ? `${entry.code} ${entry.what}` : entry.what;
}

/** What a request was answered with. */
function Answered({ entry }: { entry: RequestEntry }) {
  return (
    <span class="result">
      {entry.status === null ? (
        <Badge tone="warn" icon="stopped">
          {worlds().journal.unanswered}
        </Badge>
      ) : (
        <Status status={entry.status} />
      )}
    </span>
  );
}

/** What came of an attempt to send a callback, a hook or a question, and what went wrong with it on order. */
function Came({ entry }: { entry: CallbackEntry | HookEntry | QuestionEntry }) {
  const words = worlds().journal;
  return (
    <span class="result">
      <span>
        {words.attempt(entry.attempt)}: <span lang="en">{entry.outcome}</span>
      </span>
      {entry.fault !== undefined && (
        <Badge tone="warn" icon="warning">
          {words.fault(entry.fault)}
        </Badge>
      )}
    </span>
  );
}

function bodiesOf(entry: Exclude<Entry, NoteEntry>): [string, string][] {
  const words = requests();
  if (entry.kind === 'callback' || entry.kind === 'question') return [[words.body, entry.body]];
  if (entry.kind === 'hook') return [[words.body, entry.form]];
  return [
    [words.body, entry.request],
    [words.answer, entry.answer],
  ];
}

function Bodies({ entry }: { entry: Exclude<Entry, NoteEntry> }) {
  const words = requests();
  const bodies = bodiesOf(entry);
  return (
    <div class="bodies">
      {bodies.map(([label, text]) => (
        <div key={label} class="stacked">
          <h3>{label}</h3>
          {text === '' ? <p class="soft">{words.noBody}</p> : <Body text={text} label={label} />}
        </div>
      ))}
    </div>
  );
}
