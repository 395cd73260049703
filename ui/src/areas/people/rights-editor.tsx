import { Button } from '../../parts/button';
import { Icon } from '../../parts/icon';
import { people } from '../../words/people';
import type { Edit } from './edit';
import { saidRight } from './letter';
import { type Cell, Matrix } from './matrix';
import { ACTIONS, type Action, ENTITIES, type Entity, LETTERS, type Letter, type Letters, choose, refusal } from './rights';
import './people.css';

/** Creating knows only «allowed» and «denied». */
export const knowsTwo = (action: Action): boolean => action === 'add';

/** Why an action cannot have a letter, for people. */
export function why(row: Letters, action: Action, letter: Letter, two: boolean): string | undefined {
  const words = people();
  const found = refusal(row, action, letter, two);
  if (found === undefined) return undefined;
  return found.is === 'two' ? words.matrix.two : words.matrix.wide(words.actions[action], words.actions[found.over], found.letter);
}

/** Sets one right of a row, if that can be: puts the row with what follows, and says what happened. */
export function setRight(
  edit: Edit,
  name: () => string,
  row: Letters,
  { action, letter, two }: { action: Action; letter: Letter; two: boolean },
  put: (row: Letters) => ReturnType<Edit['rights']['peek']>,
): void {
  const refused = refusal(row, action, letter, two);
  if (refused !== undefined) {
    const says = (): string => people().matrix.refused(name(), people().actions[action], letter, why(row, action, letter, two) ?? '');
    edit.note.value = { tone: 'refused', says };
    return;
  }
  if (row[action] === letter) return;
  const { row: next, forced } = choose(row, action, letter);
  edit.put(put(next), {
    tone: forced.length > 0 ? 'forced' : 'quiet',
    says: () => {
      const words = people();
      if (forced.length === 0) return `${name()}, ${saidRight(action, letter)}`;
      const followed = forced.map((other) => words.actions[other]);
      return words.matrix.forced(name(), words.actions[action], letter, followed);
    },
  });
}

/** The general rights: leads, contacts, companies, tasks, mail and lists. */
export function RightsEditor({ edit, wrong }: { edit: Edit; wrong?: (path: string) => string | undefined }) {
  const words = people();
  const rights = edit.rights.value;
  const cell = (entity: Entity, action: Action): Cell => {
    const row = rights[entity];
    const value = row[action];
    const says = `${words.things[entity]}, ${words.actions[action]}`;
    if (value === undefined) return { is: 'none', says, why: words.matrix.noSuch };
    return {
      is: 'right',
      value,
      says: `${words.things[entity]}, ${saidRight(action, value)}`,
      options: LETTERS.map((letter) => ({ letter, why: why(row, action, letter, knowsTwo(action)) })),
      wrong: wrong?.(`rights.${entity}.${action}`),
    };
  };
  const set = (at: number, column: number, letter: Letter | undefined): void => {
    const [entity, action] = [ENTITIES[at], ACTIONS[column]];
    if (entity === undefined || action === undefined || letter === undefined) return;
    const row = edit.rights.peek()[entity];
    const name = (): string => people().things[entity];
    if (row[action] === undefined) {
      edit.note.value = { tone: 'refused', says: () => `${name()}, ${people().actions[action]}: ${people().matrix.noSuch}` };
      return;
    }
    const wanted = { action, letter, two: knowsTwo(action) };
    setRight(edit, name, row, wanted, (next) => ({ ...edit.rights.peek(), [entity]: next }));
  };
  const setRow = (at: number, letter: Letter): void => {
    const entity = ENTITIES[at];
    if (entity === undefined) return;
    const now = edit.rights.peek();
    const row: Letters = {};
    for (const [action, had] of Object.entries(now[entity]) as [Action, Letter][]) {
      // Creating keeps what it has when the letter is none that it knows.
      row[action] = knowsTwo(action) && (letter === 'G' || letter === 'M') ? had : letter;
    }
    const says = (): string => people().matrix.wholeRow(people().things[entity], letter);
    edit.put({ ...now, [entity]: row }, { tone: 'quiet', says });
  };
  return (
    <div class="rights-editor">
      <Matrix
        label={words.rights}
        columns={ACTIONS.map((action) => words.actions[action])}
        rows={ENTITIES.map((entity) => ({
          key: entity,
          title: words.things[entity],
          cells: ACTIONS.map((action) => cell(entity, action)),
        }))}
        letters={LETTERS}
        onSet={set}
        onSetRow={setRow}
      />
      <Notice edit={edit} />
      <div class="switches">
        <Switch edit={edit} of="mail_access" says={words.things.mail} />
        <Switch edit={edit} of="catalog_access" says={words.things.catalogs} />
      </div>
    </div>
  );
}

/** What the last step did, if it did more than was asked, or could not be done. */
function Notice({ edit }: { edit: Edit }) {
  const note = edit.note.value;
  const isShown = note !== undefined && note.tone !== 'quiet';
  return (
    <div class="rights-notice">
      <p role="status" class={isShown ? 'told' : 'unseen'}>
        {isShown && <Icon name="warning" />}
        <span>{note?.says() ?? ''}</span>
      </p>
      {edit.past.value.length > 0 && (
        <Button onClick={() => edit.undo()}>
          {people().undo}
        </Button>
      )}
    </div>
  );
}

function Switch({ edit, of, says }: { edit: Edit; of: 'mail_access' | 'catalog_access'; says: string }) {
  const on = edit.rights.value[of];
  const words = people();
  return (
    <label>
      <input
        type="checkbox"
        checked={on}
        onChange={(event) => {
          const checked = event.currentTarget.checked;
          edit.put({ ...edit.rights.peek(), [of]: checked }, { tone: 'quiet', says: () => `${says}: ${checked ? words.on : words.off}` });
        }}
      />{' '}
      {says}: <b>{on ? words.on : words.off}</b>
    </label>
  );
}
