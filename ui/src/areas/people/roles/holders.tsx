import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { ProblemNote } from '../../../parts/problem';
import { useWork } from '../../../parts/work';
import { people } from '../../../words/people';
import { shell } from '../../../words/shell';
import { tell } from '../told';
import type { Role, User } from '../types';
import { changeUser, changeUsers } from '../users/change';

interface Props {
  role: Role;
  users: readonly User[];
  reload: () => void;
}

/** Who has a role: it can be taken away from each, and given to others. */
export function Holders({ role, users, reload }: Props) {
  const words = people().holders;
  const adding = useSignal(false);
  const { busy, problem, run } = useWork();
  const ids = new Set(role._embedded?.users ?? []);
  const holders = users.filter((user) => ids.has(user.id));
  const take = (user: User): Promise<void> =>
    run(async () => {
      await changeUser(user.id, { rights: { role_id: null } });
      tell(words.taken(user.name));
      reload();
    });
  return (
    <section class="holders" aria-labelledby="holders">
      <header>
        <h2 id="holders">{words.title}</h2>
        <Button icon="plus" onClick={() => (adding.value = true)}>
          {words.add}
        </Button>
      </header>
      {problem !== undefined && <ProblemNote problem={problem} />}
      {holders.length === 0 && <p class="soft">{words.none}</p>}
      {holders.length > 0 && (
        <ul class="card">
          {holders.map((user) => (
            <li key={user.id}>
              <a href={`/users/${user.id}`}>{user.name}</a>
              <span class="soft">{user.email}</span>
              <Button look="quiet" busy={busy} aria-label={words.takeOf(user.name)} onClick={() => void take(user)}>
                {words.take}
              </Button>
            </li>
          ))}
        </ul>
      )}
      {adding.value && (
        <Give
          role={role}
          users={users.filter((user) => !user.rights.is_admin && !ids.has(user.id))}
          onClose={() => (adding.value = false)}
          onDone={(count) => {
            adding.value = false;
            tell(words.given(count));
            reload();
          }}
        />
      )}
    </section>
  );
}

interface GiveProps {
  role: Role;
  /** Who may get it. */
  users: readonly User[];
  onClose: () => void;
  /** With how many got it. */
  onDone: (count: number) => void;
}

function Give({ role, users, onClose, onDone }: GiveProps) {
  const words = people().holders;
  const text = useSignal('');
  const chosen = useSignal<ReadonlySet<number>>(new Set());
  const failed = useSignal<Awaited<ReturnType<typeof changeUsers>>>([]);
  const { busy, problem, run } = useWork();
  const wanted = text.value.trim().toLowerCase();
  const shown = users.filter((user) => [user.name, user.email].some((it) => it.toLowerCase().includes(wanted)));
  const put = (id: number, on: boolean): void => {
    const next = new Set(chosen.value);
    if (on) next.add(id);
    else next.delete(id);
    chosen.value = next;
  };
  const give = (): Promise<void> =>
    run(async () => {
      const picked = users.filter((user) => chosen.value.has(user.id));
      failed.value = await changeUsers(picked, { rights: { role_id: role.id } });
      if (failed.value.length === 0) onDone(picked.length);
      else chosen.value = new Set(failed.value.map(({ user }) => user.id));
    });
  return (
    <Dialog title={words.addTitle(role.name)} onClose={onClose}>
      <p class="soft">{words.addText}</p>
      {users.length === 0 ? (
        <p>{words.nobody}</p>
      ) : (
        <>
          <input
            type="search"
            aria-label={words.search}
            placeholder={words.search}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
          <ul class="candidates">
            {shown.map((user) => (
              <li key={user.id}>
                <label>
                  <input type="checkbox" checked={chosen.value.has(user.id)} onChange={(event) => put(user.id, event.currentTarget.checked)} />
                  <span>
                    {user.name} <span class="soft">{user._embedded?.roles?.[0]?.name ?? user.email}</span>
                  </span>
                </label>
              </li>
            ))}
          </ul>
        </>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
      {failed.value.map(({ user, problem: why }) => (
        <div key={user.id}>
          <p>{people().change.failed(user.name)}</p>
          <ProblemNote problem={why} />
        </div>
      ))}
      <div class="actions">
        <Button onClick={onClose}>{shell().cancel}</Button>
        <Button look="primary" busy={busy} disabled={chosen.value.size === 0} onClick={() => void give()}>
          {words.submit(chosen.value.size)}
        </Button>
      </div>
    </Dialog>
  );
}
