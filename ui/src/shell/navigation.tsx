import { useSignal } from '@preact/signals';
import { isAdministrator } from '../api/session';
import type { Entry } from '../area';
import { AREAS } from '../areas';
import { counted } from '../live/counts';
import { Icon } from '../parts/icon';
import { place } from '../router';
import { shell } from '../words/shell';
import './navigation.css';

const GROUPS: readonly Entry['group'][] = ['work', 'people', 'operator'];
/** How many entries the bar of a narrow screen has room for, beside «more». */
const BAR = 3;

/** The pages of this service that whoever is signed in can go to. What only administrators can use is shown to them alone. */
export function entries(): readonly Entry[] {
  const all = AREAS.flatMap((area) => area.entries).filter((entry) => entry.isShown?.value !== false);
  const mine = all.filter((entry) => isAdministrator.value || (entry.administratorsOnly !== true && entry.group !== 'operator'));
  return GROUPS.flatMap((group) => mine.filter((entry) => entry.group === group));
}

export function Navigation() {
  const words = shell();
  const all = entries();
  const open = useSignal(false);
  const overflows = all.length > BAR;
  return (
    <nav
      class={open.value ? 'navigation open' : 'navigation'}
      aria-label={words.navigation}
      onClick={(event) => {
        if ((event.target as Element).closest('a') !== null) open.value = false;
      }}
    >
      <ul>
        {all.map((entry, at) => (
          <li key={entry.to} class={at >= BAR ? 'beyond' : undefined}>
            {entry.group === 'operator' && all[at - 1]?.group !== 'operator' && (
              <h2>
                <span>{words.developer}</span>
              </h2>
            )}
            <Link entry={entry} />
          </li>
        ))}
        {overflows && (
          <li class="more">
            <button type="button" aria-expanded={open.value} onClick={() => (open.value = !open.value)}>
              <Icon name="more" />
              <span class="label">{words.more}</span>
            </button>
          </li>
        )}
      </ul>
    </nav>
  );
}

function Link({ entry }: { entry: Entry }) {
  const { path } = place.value;
  const isHere = path === entry.to || path.startsWith(`${entry.to}/`);
  const count = entry.count?.value;
  const says = entry.says();
  return (
    <a href={entry.to} aria-current={isHere ? 'page' : undefined} title={says}>
      <Icon name={entry.icon} />
      <span class="label">{says}</span>
      {count !== undefined && count.count > 0 && <span class="count">{counted(count)}</span>}
    </a>
  );
}
