import { type Signal, useSignal } from '@preact/signals';
import { Button } from '../../../parts/button';
import { Field } from '../../../parts/field';
import { typed } from '../../../parts/typed';
import { people } from '../../../words/people';
import { Rules } from './row';
import { makePassword, ofPassword } from './rules';

interface Props {
  label: string;
  hint?: string;
  value: Signal<string>;
  error?: string | undefined;
}

/** A password that is given to somebody: shown on request, or made here. */
export function NewPassword({ label, hint, value, error }: Props) {
  const words = people().add;
  const isShown = useSignal(false);
  // The types know no input that is the one and the other.
  const kind = { type: isShown.value ? 'text' : 'password' } as { type: 'password' };
  return (
    <div>
      <Field label={label} hint={hint} error={error}>
        {(input) => <input {...input} {...kind} {...typed(value)} autocomplete="new-password" />}
      </Field>
      {value.value !== '' && <Rules list={ofPassword(value.value)} isBegun />}
      <div class="password">
        <label>
          <input type="checkbox" checked={isShown.value} onChange={(event) => (isShown.value = event.currentTarget.checked)} /> {words.show}
        </label>
        <Button
          look="quiet"
          onClick={() => {
            value.value = makePassword();
            isShown.value = true;
          }}
        >
          {words.make}
        </Button>
      </div>
    </div>
  );
}
