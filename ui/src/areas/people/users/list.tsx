import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { me } from '../../../api/session';
import { useShortcuts } from '../../../keys';
import { Button } from '../../../parts/button';
import { Empty } from '../../../parts/empty';
import { folded } from '../../../parts/folded';
import { useLoad } from '../../../parts/load';
import { Page } from '../../../parts/page';
import { ProblemNote } from '../../../parts/problem';
import { Skeleton } from '../../../parts/skeleton';
import { narrow, open, place } from '../../../router';
import { people } from '../../../words/people';
import { shell } from '../../../words/shell';
import { Administrators } from '../administrators';
import { Told } from '../told';
import * as api from '../types';
import { groupsOf } from './change';
import { ChangeSeveral } from './several';
import { Switching } from './switching';
import { Table } from './table';
import './users.css';

/** Interface B: with more, nobody can be added on the base plan. */
const BASE_MOST = 100;

export function UsersPage() {
  return <Administrators title={people().users.title}>{() => <Users />}</Administrators>;
}

/** Which filters the address names. */
type Filter = 'q' | 'state' | 'role' | 'group';

/** Where somebody's rights come from, as the filter names it. */
function source(user: api.User): string {
  const { is_admin, is_free, role_id } = user.rights;
  if (is_admin) return 'admin';
  if (is_free) return 'free';
  return role_id === null ? 'own' : String(role_id);
}

function fits(user: api.User, wanted: (name: Filter) => string): boolean {
  const text = folded(wanted('q')).trim();
  const [state, role, group] = [wanted('state'), wanted('role'), wanted('group')];
  return (
    (text === '' || folded(user.name).includes(text) || folded(user.email).includes(text)) &&
    (state === '' || (state === 'active') === user.rights.is_active) &&
    (role === '' || source(user) === role) &&
    (group === '' || String(user.rights.group_id) === group)
  );
}

/** Roles or groups that somebody of the list has, by name. */
function known(all: readonly api.User[], of: 'roles' | 'groups'): api.Named[] {
  const found = new Map(all.flatMap((user) => user._embedded?.[of] ?? []).map((it) => [it.id, it]));
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name));
}

function Users() {
  const words = people().users;
  const steps = useRef(1);
  const chosen = useSignal<ReadonlySet<number>>(new Set());
  const search = useRef<HTMLInputElement>(null);
  const changing = useSignal(false);
  const found = useLoad('users', (signal) => api.users(steps.current, signal));
  useShortcuts([{ keys: 'Slash', says: shell().shortcuts.search, run: () => search.current?.focus() }]);
  const { query } = place.value;
  const wanted = (name: Filter): string => query.get(name) ?? '';
  const all = found.data.value;
  const rows = all?.items.filter((user) => fits(user, wanted)) ?? [];
  const picked = all?.items.filter((user) => chosen.value.has(user.id)) ?? [];
  const isNarrowed = (['q', 'state', 'role', 'group'] as const).some((name) => wanted(name) !== '');
  const plan = me.value?.account?.plan ?? 'base';
  const isFull = plan === 'base' && (all?.total ?? 0) > BASE_MOST;
  const clear = (): void => narrow({ q: null, state: null, role: null, group: null });
  return (
    <Page
      title={words.title}
      actions={
        <Button look="primary" icon="plus" disabled={isFull} onClick={() => open('/users/add')}>
          {words.add}
        </Button>
      }
    >
      <Told />
      {all !== undefined && (
        <p class="soft">
          {plan === 'base' ? words.ofPlan(all.total, BASE_MOST) : words.noLimit(all.total)}
          {isFull && <strong> {words.full(BASE_MOST)}</strong>}
        </p>
      )}
      <div class="filters" role="search">
        <input
          ref={search}
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          value={wanted('q')}
          onInput={(event) => narrow({ q: event.currentTarget.value })}
        />
        <Select name="state" label={words.state} value={wanted('state')} options={[['active', words.active], ['inactive', words.inactive]]} />
        <Select
          name="role"
          label={words.access}
          value={wanted('role')}
          options={[
            ['admin', words.administrator],
            ['own', words.own],
            ['free', words.free],
            ...known(all?.items ?? [], 'roles').map((role): [string, string] => [String(role.id), words.role(role.name)]),
          ]}
        />
        <Select
          name="group"
          label={words.group}
          value={wanted('group')}
          options={known(all?.items ?? [], 'groups').map((group) => [String(group.id), group.name])}
        />
        {isNarrowed && <Button onClick={clear}>{shell().clear}</Button>}
      </div>
      {found.problem.value !== undefined && <ProblemNote problem={found.problem.value} retry={found.reload} />}
      {all === undefined && found.problem.value === undefined && <Skeleton />}
      {all !== undefined && (
        <>
          <Switching
            users={picked}
            listed
            onDone={() => (chosen.value = new Set())}
            reload={found.reload}
            others={
              <Button disabled={picked.length === 0} onClick={() => (changing.value = true)}>
                {people().change.several}
              </Button>
            }
          />
          {changing.value && (
            <ChangeSeveral
              users={picked}
              groups={groupsOf(all.items)}
              onClose={() => (changing.value = false)}
              onDone={() => {
                changing.value = false;
                chosen.value = new Set();
                found.reload();
              }}
            />
          )}
          {rows.length === 0 ? (
            <Empty title={words.nobody}>
              <Button onClick={clear}>{shell().clear}</Button>
            </Empty>
          ) : (
            <Table rows={rows} chosen={chosen} />
          )}
          {all.items.length < all.total && (
            <p class="more-users">
              <span class="soft">{words.loaded(all.items.length, all.total)}</span>
              <Button
                busy={found.loading.value}
                onClick={() => {
                  steps.current += 1;
                  found.reload();
                }}
              >
                {shell().loadMore}
              </Button>
            </p>
          )}
        </>
      )}
    </Page>
  );
}

interface SelectProps {
  name: Filter;
  label: string;
  value: string;
  options: readonly (readonly [string, string])[];
}

function Select({ name, label, value, options }: SelectProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => narrow({ [name]: event.currentTarget.value })}>
      <option value="">{`${label}: ${people().users.any}`}</option>
      {options.map(([id, says]) => (
        <option key={id} value={id}>
          {says}
        </option>
      ))}
    </select>
  );
}
