import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { me } from '../../../api/session';
import { Button } from '../../../parts/button';
import { Field } from '../../../parts/field';
import { ProblemNote } from '../../../parts/problem';
import { typed } from '../../../parts/typed';
import { useWork } from '../../../parts/work';
import { people } from '../../../words/people';
import { Edit } from '../edit';
import { RightsEditor } from '../rights-editor';
import { tell } from '../told';
import type { Named, User } from '../types';
import { Choice, FREE, OWN, accessOptions, groupOptions, languageOptions } from './access';
import { type Change, changeUser, changedRights } from './change';
import { NewPassword } from './new-password';
import { NAME_MOST } from './rules';

interface Props {
  user: User;
  roles: readonly Named[];
  groups: readonly Named[];
  onSaved: () => void;
}

/** Where the rights of a user come from, as the choice names it. */
function accessOf({ rights }: User): string {
  if (rights.is_free) return FREE;
  return rights.role_id === null ? OWN : String(rights.role_id);
}

/** What an administrator changes of a user: name, address, language, group, rights and password. */
export function EditUser({ user, roles, groups, onSaved }: Props) {
  const words = people();
  const { is_admin: isAdmin, group_id: groupId } = user.rights;
  const isOneself = user.id === me.value?.user.id;
  const name = useSignal(user.name);
  const email = useSignal(user.email);
  const lang = useSignal<string>(user.lang);
  const group = useSignal(String(groupId));
  const access = useSignal(accessOf(user));
  const password = useSignal('');
  const edit = useMemo(() => new Edit(user.rights), [user]);
  const { busy, problem, run } = useWork();
  const change = (): Change => {
    const rights: NonNullable<Change['rights']> = {};
    if (group.value !== String(groupId)) rights.group_id = Number(group.value);
    if (access.value !== accessOf(user)) {
      if (access.value === FREE) rights.is_free = true;
      else if (access.value !== OWN) rights.role_id = Number(access.value);
      else if (user.rights.is_free) rights.is_free = false;
      else rights.role_id = null;
    }
    if (access.value === OWN && !isAdmin) Object.assign(rights, changedRights(user.rights, edit.rights.value));
    return {
      ...(name.value === user.name ? {} : { name: name.value.trim() }),
      ...(email.value === user.email ? {} : { email: email.value.trim() }),
      ...(lang.value === user.lang ? {} : { lang: lang.value }),
      ...(password.value === '' ? {} : { password: password.value }),
      ...(Object.keys(rights).length === 0 ? {} : { rights }),
    };
  };
  const wanted = change();
  const isChanged = Object.keys(wanted).length > 0;
  const save = (): Promise<void> =>
    run(async () => {
      await changeUser(user.id, wanted);
      password.value = '';
      tell(words.change.saved);
      onSaved();
    });
  const wrong = (path: string): string | undefined => problem?.about(path);
  return (
    <section class="edit-user" aria-labelledby="edit-user">
      <h2 id="edit-user">{words.change.title}</h2>
      <form
        class="card"
        onKeyDown={edit.onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          if (isChanged) void save();
        }}
      >
        <div class="fields">
          <Field label={words.users.name} error={wrong('name')}>
            {(input) => <input {...input} {...typed(name)} autocomplete="off" required maxLength={NAME_MOST} />}
          </Field>
          <Field label={words.users.email} error={wrong('email')}>
            {(input) => <input {...input} {...typed(email)} type="email" autocomplete="off" required />}
          </Field>
          <Choice label={words.users.lang} value={lang.value} options={languageOptions()} error={wrong('lang')} onChoose={(it) => (lang.value = it)} />
          <Choice label={words.users.group} value={group.value} options={groupOptions(groups)} error={wrong('rights.group_id')} onChoose={(it) => (group.value = it)} />
          {!isAdmin && (
            <Choice
              label={words.users.access}
              value={access.value}
              options={accessOptions(roles, words.change.own)}
              error={wrong('rights.role_id')}
              onChoose={(it) => (access.value = it)}
            />
          )}
          {!isAdmin && <NewPassword label={words.change.password} hint={words.change.passwordHint} value={password} error={wrong('password')} />}
        </div>
        {isAdmin && <p class="soft">{isOneself ? words.change.ofOneself : words.change.ofAdministrator}</p>}
        {!isAdmin && access.value === OWN && (
          <details>
            <summary>{words.add.own}</summary>
            {user.rights.role_id !== null && <p class="soft">{words.change.keepsRole}</p>}
            <RightsEditor edit={edit} wrong={wrong} />
          </details>
        )}
        {problem !== undefined && <ProblemNote problem={problem} />}
        <div class="actions">
          {!isChanged && <span class="soft">{words.change.unchanged}</span>}
          <Button type="submit" look="primary" busy={busy} disabled={!isChanged}>
            {words.change.save}
          </Button>
        </div>
      </form>
    </section>
  );
}
