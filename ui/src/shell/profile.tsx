import { useSignal } from '@preact/signals';
import { changeMe, changePassword, me } from '../api/session';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Field } from '../parts/field';
import { ProblemNote } from '../parts/problem';
import { typed } from '../parts/typed';
import { useWork } from '../parts/work';
import { profile } from '../words/profile';
import { Notifications } from './notifications';

/** What everybody changes of themselves: their name, their password with the current one, and what they are notified of. */
export function Profile({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={profile().title} onClose={onClose}>
      <Name />
      <Password />
      <Notifications />
    </Dialog>
  );
}

function Name() {
  const words = profile();
  const name = useSignal(me.peek()?.user.name ?? '');
  const isDone = useSignal(false);
  const { busy, problem, run } = useWork();
  const isSame = name.value.trim() === me.value?.user.name;
  return (
    <form
      class="stacked"
      onSubmit={(event) => {
        event.preventDefault();
        void run(async () => {
          await changeMe({ name: name.value.trim() });
          isDone.value = true;
        });
      }}
    >
      <Field label={words.name} error={problem?.about('name')}>
        {(input) => <input {...input} {...typed(name)} autocomplete="name" required maxLength={50} />}
      </Field>
      {problem !== undefined && <ProblemNote problem={problem} />}
      <p role="status">{isDone.value && isSame && words.named}</p>
      <div class="actions">
        <Button type="submit" busy={busy} disabled={isSame}>
          {words.saveName}
        </Button>
      </div>
    </form>
  );
}

function Password() {
  const words = profile();
  const current = useSignal('');
  const password = useSignal('');
  const isDone = useSignal(false);
  const { busy, problem, run } = useWork();
  const isWrong = problem?.about('current_password') !== undefined;
  return (
    <form
      class="stacked"
      onSubmit={(event) => {
        event.preventDefault();
        isDone.value = false;
        void run(async () => {
          await changePassword(current.value, password.value);
          isDone.value = true;
          current.value = '';
          password.value = '';
        });
      }}
    >
      {/* Programs that keep passwords know by it whose this is. */}
      <input type="email" autocomplete="username" value={me.value?.user.email} readOnly hidden />
      <Field label={words.current} error={isWrong ? words.wrong : undefined}>
        {(input) => <input {...input} {...typed(current)} type="password" autocomplete="current-password" required />}
      </Field>
      <Field label={words.password} hint={words.passwordHint} error={problem?.about('password')}>
        {(input) => <input {...input} {...typed(password)} type="password" autocomplete="new-password" required />}
      </Field>
      {problem !== undefined && !isWrong && <ProblemNote problem={problem} />}
      <p role="status">{isDone.value && words.changed}</p>
      <div class="actions">
        <Button type="submit" look="primary" busy={busy}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}
