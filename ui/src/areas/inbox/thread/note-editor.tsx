import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../../parts/button';
import { ProblemNote } from '../../../parts/problem';
import { useWork } from '../../../parts/work';
import { shell } from '../../../words/shell';
import { team } from '../../../words/team';

interface Props {
  text: string;
  onSave: (text: string) => Promise<void>;
  onClose: () => void;
}

/** The text area of a note that its writer changes, in the place of its text. A refused text stays, with the reason. */
export function NoteEditor({ text, onSave, onClose }: Props) {
  const words = team().note;
  const area = useRef<HTMLTextAreaElement>(null);
  const value = useSignal(text);
  const task = useWork();
  useLayoutEffect(() => {
    const shown = area.current;
    shown?.focus();
    shown?.setSelectionRange(text.length, text.length);
  }, []);
  const save = (): void => {
    const said = value.peek().trim();
    if (said === '') return;
    void task.run(async () => {
      if (said !== text) await onSave(said);
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
      <textarea
        ref={area}
        dir="auto"
        rows={Math.min(8, Math.max(2, value.value.split('\n').length))}
        aria-label={words.text}
        readOnly={task.busy}
        value={value.value}
        onInput={(event) => (value.value = event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.code === 'Enter' && (event.ctrlKey || event.metaKey) && !event.isComposing) {
            event.preventDefault();
            save();
          } else if (event.code === 'Escape') {
            event.preventDefault();
            onClose();
          }
        }}
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
