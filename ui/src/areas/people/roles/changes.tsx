import { Button } from '../../../parts/button';
import { Icon } from '../../../parts/icon';
import { people } from '../../../words/people';
import { type Change, type Content, type Rights, changes, isLoss } from '../rights';
import type { Pipeline, Role, User } from '../types';
import { type Draft, content } from './draft';
import { stageName } from './stages';

/** How many holders are named before the rest is only counted. */
const NAMED = 5;

/** «Boris, Carla and 2 more». */
export function named(ids: readonly number[], users: readonly User[]): string {
  const words = people().roles;
  const names = ids.slice(0, NAMED).map((id) => users.find((user) => user.id === id)?.name ?? words.user(id));
  return words.names(names, ids.length - names.length);
}

/** «Contacts → Delete: A → D». */
function said(change: Change, pipelines: readonly Pipeline[]): string {
  const words = people();
  const of =
    typeof change.of === 'object'
      ? stageName(pipelines, change.of)
      : change.of === 'mail_access'
        ? words.things.mail
        : change.of === 'catalog_access'
          ? words.things.catalogs
          : words.things[change.of];
  const what = change.action === undefined ? of : `${of} → ${words.actions[change.action]}`;
  return `${what}: ${change.before ?? words.unsaid} → ${change.after ?? words.unsaid}`;
}

interface EffectProps {
  before: Rights;
  after: Rights;
  pipelines: readonly Pipeline[];
  holders: readonly number[];
  users: readonly User[];
}

/** Who loses and who gains what, before it is saved. */
export function Effect({ before, after, pipelines, holders, users }: EffectProps) {
  const words = people().roles;
  const all = changes(before, after);
  if (holders.length === 0 || all.length === 0) return null;
  const parts = [
    { says: words.lose, list: all.filter(isLoss) },
    { says: words.gain, list: all.filter((change) => !isLoss(change)) },
  ];
  return (
    <section class="effect" aria-labelledby="effect">
      <h2 id="effect">{words.effect(named(holders, users))}</h2>
      {parts.map(
        ({ says, list }) =>
          list.length > 0 && (
            <div key={says}>
              <b>{says}</b>
              <ul>
                {list.map((change) => (
                  <li key={said(change, pipelines)}>{said(change, pipelines)}</li>
                ))}
              </ul>
            </div>
          ),
      )}
    </section>
  );
}

interface DifferencesProps {
  mine: Draft;
  base: Content;
  theirs: Role;
  pipelines: readonly Pipeline[];
  onTheirs: () => void;
  onMine: (theirs: Role) => void;
}

/** Somebody else changed the role meanwhile: both versions, and which one is to go on with. */
export function Differences({ mine, base, theirs, pipelines, onTheirs, onMine }: DifferencesProps) {
  const words = people().roles;
  const now = content(theirs);
  const lines = (after: Content): string[] => [
    ...(after.name === base.name ? [] : [`${words.name}: ${base.name} → ${after.name}`]),
    ...changes(base.rights, after.rights).map((change) => said(change, pipelines)),
  ];
  const versions = [
    { says: words.theirs, list: lines(now) },
    { says: words.mine, list: lines({ name: mine.name.value, rights: mine.edit.rights.value }) },
  ];
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{words.conflict}</strong>
        <div class="versions">
          {versions.map(({ says, list }) => (
            <div key={says}>
              <b>{says}</b>
              <ul>
                {list.map((line) => (
                  <li key={line}>{line}</li>
                ))}
              </ul>
            </div>
          ))}
        </div>
        <div class="actions">
          <Button onClick={onTheirs}>{words.takeTheirs}</Button>
          <Button onClick={() => onMine(theirs)}>{words.keepMine}</Button>
        </div>
      </div>
    </div>
  );
}
