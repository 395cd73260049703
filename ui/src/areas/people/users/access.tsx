import { Field } from '../../../parts/field';
import { people } from '../../../words/people';
import { LANGUAGES, LANGUAGE_NAMES } from '../../../words/wanted';
import type { Named } from '../types';

interface ChoiceProps {
  label: string;
  value: string;
  /** Values with what they say, in their order. */
  options: readonly (readonly [string, string])[];
  error?: string | undefined;
  disabled?: boolean;
  onChoose: (value: string) => void;
}

/** One of a few values. */
export function Choice({ label, value, options, error, disabled = false, onChoose }: ChoiceProps) {
  return (
    <Field label={label} error={error}>
      {(input) => (
        <select {...input} disabled={disabled} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
          {options.map(([id, says]) => (
            <option key={id} value={id}>
              {says}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

/** What a choice of rights is beside the number of a role. */
export const OWN = 'own';
export const FREE = 'free';

/** Where somebody's rights can come from: their own, a role, or nowhere. */
export const accessOptions = (roles: readonly Named[], own: string): [string, string][] => [
  [OWN, own],
  ...roles.map((role): [string, string] => [String(role.id), people().users.role(role.name)]),
  [FREE, people().users.free],
];

export const languageOptions = (): [string, string][] => LANGUAGES.map((lang) => [lang, LANGUAGE_NAMES[lang]]);

export const groupOptions = (groups: readonly Named[]): [string, string][] => groups.map((group) => [String(group.id), group.name]);
