import { useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { type Problem, asProblem } from '../../../api/client';
import { Button } from '../../../parts/button';
import { ProblemNote } from '../../../parts/problem';
import { inbox } from '../../../words/inbox';
import { team } from '../../../words/team';
import { Lock } from '../thread/lock';
import type { Notes } from '../thread/notes';
import type { Draft } from './draft';
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
      // First the draft: the service deletes it with the note, so that it does not come back when the page is left meanwhile.
      const number = await draft.settle();
      // Another page has written another version: its writer chooses first.
      if (draft.other.peek() === undefined) {
        await notes.create(said, attempt.current.key, number);
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
      <textarea
        id={id}
        ref={area}
        dir="auto"
        rows={Math.min(8, Math.max(2, draft.text.value.split('\n').length))}
        placeholder={words.placeholder}
        readOnly={busy.value}
        value={draft.text.value}
        onInput={(event) => draft.write(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.code === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing) {
            event.preventDefault();
            void save();
          } else if (event.code === 'Escape') {
            event.preventDefault();
            event.currentTarget.blur();
          }
        }}
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
