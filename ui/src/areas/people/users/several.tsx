import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { useLoad } from '../../../parts/load';
import { ProblemNote } from '../../../parts/problem';
import { useWork } from '../../../parts/work';
import { people } from '../../../words/people';
import { shell } from '../../../words/shell';
import { tell } from '../told';
import * as api from '../types';
import { Choice, FREE, OWN, accessOptions, groupOptions, languageOptions } from './access';
import { type Change, changeUsers } from './change';

interface Props {
  users: readonly api.User[];
  groups: readonly api.Named[];
  onClose: () => void;
  onDone: () => void;
}

/** The same change of several users: rights, group, language. Who could not be changed is named, with the reason. */
export function ChangeSeveral({ users, groups, onClose, onDone }: Props) {
  const words = people();
  const roles = useLoad('roles of several', api.roles);
  const access = useSignal('');
  const group = useSignal('');
  const lang = useSignal('');
  const failed = useSignal<Awaited<ReturnType<typeof changeUsers>>>([]);
  const { busy, problem, run } = useWork();
  const stays: [string, string] = ['', words.change.stays];
  const change = (): Change => {
    const rights = {
      ...(access.value === '' ? {} : access.value === FREE ? { is_free: true } : access.value === OWN ? { is_free: false, role_id: null } : { role_id: Number(access.value) }),
      ...(group.value === '' ? {} : { group_id: Number(group.value) }),
    };
    return { ...(lang.value === '' ? {} : { lang: lang.value }), ...(Object.keys(rights).length === 0 ? {} : { rights }) };
  };
  const isEmpty = access.value === '' && group.value === '' && lang.value === '';
  const left = failed.value.length > 0 ? users.filter((user) => failed.value.some((it) => it.user.id === user.id)) : users;
  const submit = (): Promise<void> =>
    run(async () => {
      failed.value = await changeUsers(left, change());
      if (failed.value.length < left.length) tell(words.change.changed(left.length - failed.value.length));
      if (failed.value.length === 0) onDone();
    });
  return (
    <Dialog title={words.change.severalTitle(users.length)} onClose={failed.value.length > 0 ? onDone : onClose}>
      <p>{users.map((user) => user.name).join(', ')}</p>
      <form
        class="stacked"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isEmpty) void submit();
        }}
      >
        <Choice
          label={words.users.access}
          value={access.value}
          options={[stays, ...accessOptions(roles.data.value?.items ?? [], words.change.none)]}
          onChoose={(it) => (access.value = it)}
        />
        <Choice label={words.users.group} value={group.value} options={[stays, ...groupOptions(groups)]} onChoose={(it) => (group.value = it)} />
        <Choice label={words.users.lang} value={lang.value} options={[stays, ...languageOptions()]} onChoose={(it) => (lang.value = it)} />
        {roles.problem.value !== undefined && <ProblemNote problem={roles.problem.value} retry={roles.reload} />}
        {problem !== undefined && <ProblemNote problem={problem} />}
        {failed.value.map(({ user, problem: why }) => (
          <div key={user.id}>
            <p>{words.change.failed(user.name)}</p>
            <ProblemNote problem={why} />
          </div>
        ))}
        <div class="actions">
          <Button onClick={failed.value.length > 0 ? onDone : onClose}>{shell().cancel}</Button>
          <Button type="submit" look="primary" busy={busy} disabled={isEmpty}>
            {words.change.apply}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
