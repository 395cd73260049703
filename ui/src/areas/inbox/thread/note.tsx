import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isAdministrator, me } from '../../../api/session';
import { Confirm } from '../../../parts/confirm';
import { clock, moment } from '../../../words/language';
import { team } from '../../../words/team';
import { authorOf } from '../types';
import { LongText } from './content';
import { Lock } from './lock';
import { NoteEditor } from './note-editor';
import type { Note, Notes } from './notes';
import './note.css';

/** The time in which its writer may change a note, in seconds. */
const UPDATABLE = 15 * 60;

interface Props {
  note: Note;
  notes: Notes;
  /** True when the Tab key stops here: at one item of the thread. */
  isStop: boolean;
  onFocus: () => void;
}

/** A note for the team among the messages: who, what, when. The customer never sees it. */
export function NoteItem({ note, notes, isStop, onFocus }: Props) {
  const words = team().note;
  const article = useRef<HTMLElement>(null);
  const editing = useSignal(false);
  const deleting = useSignal(false);
  const name = authorOf(note.user);
  const isOwn = note.user.id === me.value?.user.id;
  const isUpdatable = useUpdatable(note) && isOwn;
  const isDeleted = note.text === null;
  const leave = (): void => {
    editing.value = false;
    article.current?.focus();
  };
  const takesFocus = useRef(false);
  const remove = async (): Promise<void> => {
    await notes.delete(note.number);
    takesFocus.current = true;
    deleting.value = false;
  };
  // The button to which the dialog gives the focus back is gone with the text.
  useEffect(() => {
    if (takesFocus.current) article.current?.focus();
    takesFocus.current = false;
  }, [deleting.value]);
  return (
    <article
      ref={article}
      class="team-note"
      data-note={note.number}
      tabIndex={isStop ? 0 : -1}
      onFocus={onFocus}
      aria-label={[isDeleted ? deletionOf(note) : words.from(name), clock(note.created_at)].join(', ')}
    >
      <p class="head">
        <Lock /> {words.title}
      </p>
      {note.text === null ? (
        <p>
          <bdi>{deletionOf(note)}</bdi>
        </p>
      ) : editing.value ? (
        <NoteEditor
          text={note.text}
          mentioned={note.mentions}
          conversation={notes.conversation}
          onSave={(text, mentions) => notes.update(note.number, text, mentions)}
          onClose={leave}
        />
      ) : (
        <LongText text={note.text} />
      )}
      <div class="foot">
        {!isDeleted && !editing.value && (
          <p class="ways">
            {isUpdatable && (
              <button type="button" class="link" onClick={() => (editing.value = true)}>
                {words.edit}
              </button>
            )}
            {(isOwn || isAdministrator.value) && (
              <button type="button" class="link" onClick={() => (deleting.value = true)}>
                {words.delete}
              </button>
            )}
          </p>
        )}
        <p class="below">
          {!isDeleted && (
            <>
              <bdi>{name}</bdi> · {note.updated_at !== null && `${words.edited} · `}
            </>
          )}
          <time dateTime={new Date(note.created_at * 1000).toISOString()} title={moment(note.created_at)}>
            {clock(note.created_at)}
          </time>
        </p>
      </div>
      {deleting.value && (
        <Confirm
          title={words.confirm.title}
          text={words.confirm.text}
          action={words.confirm.action}
          icon="trash"
          onConfirm={remove}
          onClose={() => (deleting.value = false)}
        />
      )}
    </article>
  );
}

/** The words in place of a deleted text. Besides its writer, only administrators delete a note. */
function deletionOf({ user, deleted_by: by }: Note): string {
  const words = team().note;
  const name = authorOf(user);
  return by === null || by === user.id ? words.deleted(name) : words.deletedByAdministrator(name);
}

/** Returns whether the note is young enough to be changed; the page shows it when that ends. */
function useUpdatable(note: Note): boolean {
  const left = (): number => (note.created_at + UPDATABLE) * 1000 - Date.now();
  const isOver = useSignal(left() <= 0);
  useEffect(() => {
    isOver.value = left() <= 0;
    if (isOver.peek()) return undefined;
    const timer = setTimeout(() => (isOver.value = true), left());
    return () => clearTimeout(timer);
  }, [note.created_at]);
  return !isOver.value;
}
