import type { Signal } from '@preact/signals';
import { me } from '../../../api/session';
import { Badge } from '../../../parts/badge';
import { Copy } from '../../../parts/copy';
import { people } from '../../../words/people';
import type { User } from '../types';

/** Where somebody's rights come from. */
export function AccessOf({ user }: { user: User }) {
  const words = people().users;
  const { is_admin, is_free, role_id } = user.rights;
  if (is_admin) return <>{words.administrator}</>;
  if (is_free) return <>{words.free}</>;
  if (role_id === null) return <>{words.own}</>;
  return <a href={`/roles/${role_id}`}>{user._embedded?.roles?.[0]?.name ?? `#${role_id}`}</a>;
}

export function StateOf({ user }: { user: User }) {
  const words = people().users;
  return user.rights.is_active ? (
    <Badge tone="good" icon="check">
      {words.active}
    </Badge>
  ) : (
    <Badge icon="stopped">{words.inactive}</Badge>
  );
}

export function Table({ rows, chosen }: { rows: readonly User[]; chosen: Signal<ReadonlySet<number>> }) {
  const words = people().users;
  const mine = me.value?.user.id;
  const put = (id: number, on: boolean): void => {
    const next = new Set(chosen.value);
    if (on) next.add(id);
    else next.delete(id);
    chosen.value = next;
  };
  return (
    <div class="scrolls card" tabIndex={0} role="region" aria-label={words.title}>
      <table class="users stacks">
        <thead>
          <tr>
            <td />
            {[words.name, words.email, words.access, words.group, words.lang, words.state, words.chatId].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((user) => (
            <tr key={user.id}>
              <td>
                <label>
                  <input
                    type="checkbox"
                    aria-label={words.choose(user.name)}
                    title={user.rights.is_admin ? words.noSwitch : undefined}
                    disabled={user.rights.is_admin}
                    checked={chosen.value.has(user.id)}
                    onChange={(event) => put(user.id, event.currentTarget.checked)}
                  />
                </label>
              </td>
              <th scope="row">
                <a href={`/users/${user.id}`}>{user.name}</a>
                {user.id === mine && <span class="soft"> {words.you}</span>}
              </th>
              <td data-label={words.email}>{user.email}</td>
              <td data-label={words.access}>
                <AccessOf user={user} />
              </td>
              <td data-label={words.group}>{user._embedded?.groups?.[0]?.name ?? user.rights.group_id}</td>
              <td data-label={words.lang}>{user.lang}</td>
              <td data-label={words.state}>
                <StateOf user={user} />
              </td>
              <td class="id" data-label={words.chatId}>
                {user.amojo_id !== undefined && (
                  <>
                    <code>{user.amojo_id.slice(0, 8)}…</code>
                    <Copy text={user.amojo_id} of={`${words.chatId}, ${user.name}`} />
                  </>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
