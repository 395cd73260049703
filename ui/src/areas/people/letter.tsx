import { people } from '../../words/people';
import { ACTIONS, type Action, ENTITIES, type Letter, type Letters, type Rights } from './rights';
import './letter.css';

/** A right: its letter, its word, and a colour that repeats both. */
export function Right({ letter }: { letter: Letter }) {
  return (
    <span class={`right ${letter}`}>
      <b>{letter}</b> {people().letters[letter]}
    </span>
  );
}

/** «Edit: only if responsible (M)». */
export function saidRight(action: Action, letter: Letter | undefined): string {
  const words = people();
  return `${words.actions[action]}: ${letter === undefined ? words.unsaid : `${words.reach[letter]} (${letter})`}`;
}

/** The rights over one thing, in short: a letter for each action, in the order of the matrix. */
export function Short({ row }: { row: Letters }) {
  return (
    <span class="short-rights">
      {ACTIONS.map((action) => {
        const letter = row[action];
        return letter === undefined ? (
          <i key={action} aria-hidden="true">
            –
          </i>
        ) : (
          <b key={action} class={`right ${letter}`} title={saidRight(action, letter)}>
            {letter}
            <span class="unseen">{` ${saidRight(action, letter)};`}</span>
          </b>
        );
      })}
    </span>
  );
}

/** All rights over things, to be read. */
export function RightsTable({ rights }: { rights: Rights }) {
  const words = people();
  return (
    <div class="scrolls" tabIndex={0} role="region" aria-label={words.rights}>
      <table class="rights-table">
        <thead>
          <tr>
            <td />
            {ACTIONS.map((action) => (
              <th key={action} scope="col">
                {words.actions[action]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {ENTITIES.map((entity) => (
            <tr key={entity}>
              <th scope="row">{words.things[entity]}</th>
              {ACTIONS.map((action) => {
                const letter = rights[entity][action];
                return <td key={action}>{letter === undefined ? <span class="soft">—</span> : <Right letter={letter} />}</td>;
              })}
            </tr>
          ))}
          {(['mail', 'catalogs'] as const).map((of) => (
            <tr key={of}>
              <th scope="row">{words.things[of]}</th>
              <td colSpan={ACTIONS.length}>
                <Right letter={(of === 'mail' ? rights.mail_access : rights.catalog_access) ? 'A' : 'D'} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
