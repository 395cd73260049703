import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useId, useMemo, useRef } from 'preact/hooks';
import { type Problem, asProblem } from '../../../api/client';
import { Button } from '../../../parts/button';
import { ProblemNote } from '../../../parts/problem';
import { inbox } from '../../../words/inbox';
import { team } from '../../../words/team';
import { Lock } from '../thread/lock';
import type { Notes } from '../thread/notes';
import type { Draft } from './draft';
import { Mentions } from './mentions';
import { NoteArea } from './note-area';
import { OtherVersion } from './other-version';
import './note.css';

interface Props {
  notes: Notes;
  draft: Draft;
  area: RefObject<HTMLTextAreaElement | null>;
}

/** The form of a note for the team. A text that was not saved stays here, with the reason. */
export function NoteComposer({ notes, draft, area }: Props) {
  const words = team().note;
  const id = useId();
  const mentions = useMemo(() => new Mentions(notes.conversation), [notes]);
  const busy = useSignal(false);
  const problem = useSignal<Problem | undefined>(undefined);
  /** The newest attempt that has no answer: the next one with its text and key is the same note. */
  const attempt = useRef({ text: '', key: '' });
  const save = async (): Promise<void> => {
    const text = draft.text.peek();
    const said = text.trim();
    if (busy.peek() || said === '') return;
    busy.value = true;
    problem.value = undefined;
    if (attempt.current.text !== said) attempt.current = { text: said, key: crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}` };
    try {
      if (!(await isReady(mentions, said))) {
        busy.value = false;
        return;
      }
      // First the draft: the service deletes it with the note, so that it does not come back when the page is left meanwhile.
      const number = await draft.settle();
      // Another page has written another version: its writer chooses first.
      if (draft.other.peek() === undefined) {
        const users = mentions.of(said).map((user) => user.id);
        await notes.create(said, users, attempt.current.key, number);
        mentions.forget();
        attempt.current = { text: '', key: '' };
        draft.became(text, number);
      }
    } catch (failure) {
      problem.value = asProblem(failure);
      // A refusal is an answer: only without one the service may have the note.
      if (problem.value.status >= 400 && problem.value.status < 500) attempt.current = { text: '', key: '' };
    }
    busy.value = false;
  };
  return (
    <form
      class="composer note-form"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
        area.current?.focus();
      }}
      onDragOver={(event) => {
        // A note has no file, and a browser would leave the page for one that is dropped here.
        if (event.dataTransfer?.types.includes('Files') !== true) return;
        event.preventDefault();
        event.dataTransfer.dropEffect = 'none';
      }}
    >
      {draft.other.value !== undefined && <OtherVersion draft={draft} />}
      {problem.value !== undefined && (
        <>
          <p>{words.failed}</p>
          <ProblemNote problem={problem.value} />
        </>
      )}
      <label for={id}>
        <Lock /> {words.label}
      </label>
      <NoteArea
        id={id}
        area={area}
        text={draft.text.value}
        mentions={mentions}
        placeholder={words.placeholder}
        readOnly={busy.value}
        onText={(text) => draft.write(text)}
        onSave={() => void save()}
        onLeave={(shown) => shown.blur()}
      />
      <div class="below">
        <span class="soft hint">
          {draft.kept.value && inbox().compose.draft}
          <span class="with-keys">
            {draft.kept.value && ' · '}
            {words.hint}
          </span>
        </span>
        <Button type="submit" look="primary" icon="check" busy={busy.value}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}

/** Reads whom the text can mention. Who was not there to be read before is shown first, if some of them cannot view the conversation. */
async function isReady(mentions: Mentions, text: string): Promise<boolean> {
  const wasShown = !text.includes('@') || mentions.users.peek() !== undefined;
  await mentions.need(text);
  return wasShown || mentions.of(text).every((user) => user.may_view);
}
