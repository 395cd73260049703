import { useSignal } from '@preact/signals';
import type { Wrong } from '../../../api/client';
import { Button } from '../../../parts/button';
import { Field } from '../../../parts/field';
import { Icon } from '../../../parts/icon';
import { people } from '../../../words/people';
import { LANGUAGES, LANGUAGE_NAMES } from '../../../words/wanted';
import { RightsEditor } from '../rights-editor';
import type { Named } from '../types';
import type { NewUser } from './new';
import { type Rule, makePassword, ofEmail, ofName, ofPassword } from './rules';

/** The paths that stand beside a field of their own. */
const FIELDS = ['name', 'email', 'password', 'lang', 'rights.role_id', 'rights.group_id'];
/** The choice that asks for a number. */
const OTHER = 'other';

interface Props {
  row: NewUser;
  at: number;
  roles: readonly Named[];
  groups: readonly Named[];
  wrong: readonly Wrong[];
  onChange: (change: Partial<NewUser>) => void;
  onRemove: (() => void) | undefined;
}

/** One user who is to be added. */
export function Row({ row, at, roles, groups, wrong, onChange, onRemove }: Props) {
  const words = people().add;
  const isShown = useSignal(false);
  // The types know no input that is the one and the other.
  const kind = { type: isShown.value ? 'text' : 'password' } as { type: 'password' };
  const about = (path: string): string | undefined => wrong.find((it) => it.path === path)?.detail;
  const inMatrix = /^rights\.(leads|contacts|companies|tasks)\./;
  const rest = wrong.filter((it) => !FIELDS.includes(it.path));
  const hasOwn = !row.free && row.role === '';
  const ignored = row.free ? words.freeIgnores : row.role === '' ? undefined : words.roleIgnores;
  return (
    <fieldset class="new-user card">
      <legend>{words.user(at + 1)}</legend>
      {onRemove !== undefined && (
        <div class="remove">
          <Button look="quiet" icon="close" label={words.remove(at + 1)} onClick={onRemove} />
        </div>
      )}
      <div class="fields">
        <div>
          <Field label={people().users.name} error={about('name')}>
            {(input) => (
              <input {...input} autocomplete="off" value={row.name} onInput={(event) => onChange({ name: event.currentTarget.value })} />
            )}
          </Field>
          <Rules list={ofName(row.name)} isBegun={row.name !== ''} />
        </div>
        <div>
          <Field label={people().users.email} error={about('email')}>
            {(input) => (
              <input
                {...input}
                type="email"
                autocomplete="off"
                value={row.email}
                onInput={(event) => onChange({ email: event.currentTarget.value })}
              />
            )}
          </Field>
          <Rules list={ofEmail(row.email)} isBegun={row.email !== ''} />
        </div>
        <div>
          <Field label={words.password} error={about('password')}>
            {(input) => (
              <input
                {...input}
                {...kind}
                autocomplete="new-password"
                value={row.password}
                onInput={(event) => onChange({ password: event.currentTarget.value })}
              />
            )}
          </Field>
          <Rules list={ofPassword(row.password)} isBegun={row.password !== ''} />
          <div class="password">
            <label>
              <input type="checkbox" checked={isShown.value} onChange={(event) => (isShown.value = event.currentTarget.checked)} /> {words.show}
            </label>
            <Button
              look="quiet"
              onClick={() => {
                onChange({ password: makePassword() });
                isShown.value = true;
              }}
            >
              {words.make}
            </Button>
          </div>
        </div>
        <div class="choices-of-user">
          <Field label={people().users.lang} error={about('lang')}>
            {(input) => (
              <select {...input} value={row.lang} onChange={(event) => onChange({ lang: event.currentTarget.value })}>
                <option value="">{words.langOfAccount}</option>
                {LANGUAGES.map((lang) => (
                  <option key={lang} value={lang}>
                    {LANGUAGE_NAMES[lang]}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={words.role} error={about('rights.role_id')}>
            {(input) => (
              <select {...input} disabled={row.free} value={row.role} onChange={(event) => onChange({ role: event.currentTarget.value })}>
                <option value="">{words.noRole}</option>
                {roles.map((role) => (
                  <option key={role.id} value={role.id}>
                    {role.name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Group row={row} groups={groups} error={about('rights.group_id')} onChange={onChange} />
          <label>
            <input type="checkbox" checked={row.free} onChange={(event) => onChange({ free: event.currentTarget.checked })} /> {words.free}
          </label>
        </div>
      </div>
      {ignored !== undefined && (
        <p class="ignored">
          <Icon name="warning" /> {ignored}
        </p>
      )}
      {rest.length > 0 && (
        <ul class="wrong-rest">
          {rest.map((it) => (
            <li key={it.path + it.detail}>
              <code>{it.path}</code> {it.detail}
            </li>
          ))}
        </ul>
      )}
      {hasOwn && (
        <details open={rest.some((it) => inMatrix.test(it.path))} onKeyDown={row.edit.onKeyDown}>
          <summary>{words.own}</summary>
          <RightsEditor edit={row.edit} wrong={about} />
        </details>
      )}
    </fieldset>
  );
}

/** The groups that somebody is in; the interface lists no others, so another is named by its number. */
function Group({ row, groups, error, onChange }: { error: string | undefined } & Pick<Props, 'row' | 'groups' | 'onChange'>) {
  const words = people().add;
  const isOther = useSignal(false);
  const isKnown = row.group === '' || groups.some((group) => String(group.id) === row.group);
  const asksNumber = isOther.value || !isKnown;
  return (
    <Field label={people().users.group} error={error}>
      {(input) => (
        <>
          <select
            {...input}
            disabled={row.free}
            value={asksNumber ? OTHER : row.group}
            onChange={(event) => {
              const { value } = event.currentTarget;
              isOther.value = value === OTHER;
              onChange({ group: value === OTHER ? '' : value });
            }}
          >
            <option value="">{words.groupDefault}</option>
            {groups.map((group) => (
              <option key={group.id} value={group.id}>
                {group.name}
              </option>
            ))}
            <option value={OTHER}>{words.groupOther}</option>
          </select>
          {asksNumber && !row.free && (
            <input
              type="text"
              inputMode="numeric"
              aria-label={words.groupNumber}
              placeholder={words.groupNumber}
              value={row.group}
              onInput={(event) => onChange({ group: event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 9) })}
            />
          )}
        </>
      )}
    </Field>
  );
}

/** Rules that hold and rules that do not, in words; quiet until something is written. */
export function Rules({ list, isBegun }: { list: readonly Rule[]; isBegun: boolean }) {
  const words = people().add.rules;
  return (
    <ul class="rules">
      {list.map((rule, at) => (
        <li key={at} class={!isBegun ? undefined : rule.holds ? 'good' : 'missing'}>
          {isBegun && <Icon name={rule.holds ? 'check' : 'close'} />}
          {isBegun && <span class="unseen">{rule.holds ? words.holds : words.missing}: </span>}
          {rule.says}
        </li>
      ))}
    </ul>
  );
}
