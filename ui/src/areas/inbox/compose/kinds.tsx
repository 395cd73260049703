import type { Signal } from '@preact/signals';
import { team } from '../../../words/team';
import type { Draft, DraftKind } from './draft';
import './kinds.css';

interface Props {
  kind: Signal<DraftKind>;
  drafts: Readonly<Record<DraftKind, Draft>>;
}

function hasContent({ text, file }: Draft): boolean {
  return text.value !== '' || file.value !== undefined;
}

/** The choice between a reply and a note. A draft that is not shown is named, so that its writer remembers it. */
export function Kinds({ kind, drafts }: Props) {
  const words = team();
  const choice = (of: DraftKind, name: string) => (
    <label>
      <input type="radio" name="kind-of-text" checked={kind.value === of} onChange={() => (kind.value = of)} />
      {name}
      {kind.value !== of && hasContent(drafts[of]) && <span class="soft"> · {words.hasDraft}</span>}
    </label>
  );
  return (
    <fieldset
      class="kinds"
      onKeyDown={(event) => {
        // Arrows move within the choice: elsewhere they are the shortcuts of the list.
        if (event.code.startsWith('Arrow')) event.stopPropagation();
      }}
    >
      <legend class="unseen">{words.kinds}</legend>
      {choice('reply', words.reply)}
      {choice('note', words.note.kind)}
    </fieldset>
  );
}
