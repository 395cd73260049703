import { useSignal } from '@preact/signals';
import { operator } from '../../words/operator';
import type { Account } from './types';

/** What stands for all accounts. */
const ALL = '*';

/** The accounts that something is open to, by name. */
export function namesOf(open: readonly string[], accounts: readonly Account[]): string {
  const words = operator();
  if (open.includes(ALL)) return words.allAccounts;
  const named = open.map((id) => accounts.find((account) => account.id === id)?.name ?? id);
  return named.join(', ') || words.noAccounts;
}

interface Props {
  accounts: readonly Account[];
  value: readonly string[];
  onChange: (open: readonly string[]) => void;
}

/** Opens something to all accounts, or to some. */
export function AccountsChoice({ accounts, value, onChange }: Props) {
  const words = operator();
  const isForAll = value.includes(ALL);
  // Who tries «all» gets the choice back.
  const chosen = useSignal<readonly string[]>(value.filter((id) => id !== ALL));
  const choose = (ids: readonly string[]): void => {
    chosen.value = ids;
    onChange(ids);
  };
  return (
    <fieldset>
      <legend>{words.accounts}</legend>
      <label class="check">
        <input type="checkbox" checked={isForAll} onChange={(event) => onChange(event.currentTarget.checked ? [ALL] : chosen.value)} />
        {words.allAccounts}
      </label>
      {!isForAll &&
        accounts.map(({ id, name }) => (
          <label key={id} class="check">
            <input
              type="checkbox"
              checked={value.includes(id)}
              onChange={(event) => {
                const others = value.filter((it) => it !== id);
                choose(event.currentTarget.checked ? [...others, id] : others);
              }}
            />
            {name}
          </label>
        ))}
    </fieldset>
  );
}
