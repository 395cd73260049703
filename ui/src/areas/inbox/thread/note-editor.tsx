import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Button } from '../../../parts/button';
import { ProblemNote } from '../../../parts/problem';
import { useWork } from '../../../parts/work';
import { shell } from '../../../words/shell';
import { team } from '../../../words/team';
import { Mentions } from '../compose/mentions';
import { NoteArea } from '../compose/note-area';

interface Props {
  text: string;
  /** The users whom the note mentions. */
  mentioned: readonly number[];
  conversation: string;
  onSave: (text: string, mentions: readonly number[]) => Promise<void>;
  onClose: () => void;
}

/** The text area of a note that its writer changes, in the place of its text. A refused text stays, with the reason. */
export function NoteEditor({ text, mentioned, conversation, onSave, onClose }: Props) {
  const words = team().note;
  const area = useRef<HTMLTextAreaElement>(null);
  const value = useSignal(text);
  const task = useWork();
  const mentions = useMemo(() => new Mentions(conversation), [conversation]);
  /** The users whom a text mentions; a program may also have mentioned some whose names are not in the text. */
  const mentionsOf = (said: string): readonly number[] => {
    const named = mentions.of(text).map((user) => user.id);
    const unnamed = mentioned.filter((user) => !named.includes(user));
    return [...new Set([...unnamed, ...mentions.of(said).map((user) => user.id)])];
  };
  useLayoutEffect(() => {
    const shown = area.current;
    shown?.focus();
    shown?.setSelectionRange(text.length, text.length);
  }, []);
  const save = (): void => {
    const said = value.peek().trim();
    if (said === '') return;
    void task.run(async () => {
      await mentions.need(`${text}${said}`);
      if (said !== text) await onSave(said, mentionsOf(said));
      onClose();
    });
  };
  return (
    <form
      class="note-editor"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <NoteArea
        area={area}
        aria-label={words.text}
        text={value.value}
        mentions={mentions}
        readOnly={task.busy}
        onText={(changed) => (value.value = changed)}
        onSave={save}
        onLeave={onClose}
      />
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      <p class="ways">
        <Button type="submit" look="primary" icon="check" busy={task.busy}>
          {words.save}
        </Button>
        <Button onClick={onClose}>{shell().cancel}</Button>
      </p>
    </form>
  );
}
