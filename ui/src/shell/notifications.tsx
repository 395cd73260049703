import { useSignal } from '@preact/signals';
import { changeMe, me } from '../api/session';
import { KINDS, isPossible, isShown, permission, switchHere, utcOffset } from '../live/notifications';
import { canPush, isPushed, switchPushes } from '../live/pushes';
import { Button } from '../parts/button';
import { Field } from '../parts/field';
import { ProblemNote } from '../parts/problem';
import { useWork } from '../parts/work';
import { notifications } from '../words/notifications';
import './notifications.css';

const NIGHT = { from: '22:00', to: '07:00' };

/** What a user is notified of, on all devices, and whether this browser shows it. */
export function Notifications() {
  const words = notifications();
  const settings = me.peek()?.notifications;
  const off = useSignal<readonly string[]>(settings?.off ?? []);
  const sound = useSignal(settings?.sound ?? false);
  const showsText = useSignal(settings?.show_text ?? false);
  const isQuiet = useSignal((settings?.quiet_hours ?? null) !== null);
  const from = useSignal(settings?.quiet_hours?.from ?? NIGHT.from);
  const to = useSignal(settings?.quiet_hours?.to ?? NIGHT.to);
  const isDone = useSignal(false);
  const { busy, problem, run } = useWork();
  const choose = (kind: string, isOn: boolean): void => {
    isDone.value = false;
    off.value = isOn ? off.value.filter((it) => it !== kind) : [...off.value, kind];
  };
  return (
    <form
      class="notifications stacked"
      onSubmit={(event) => {
        event.preventDefault();
        isDone.value = false;
        void run(async () => {
          const hours = { from: from.value, to: to.value, utc_offset: utcOffset() };
          await changeMe({ notifications: { off: [...off.value], sound: sound.value, show_text: showsText.value, quiet_hours: isQuiet.value ? hours : null } });
          isDone.value = true;
        });
      }}
    >
      <h3>{words.title}</h3>
      <Here />
      <Pushed />
      <fieldset>
        <legend>{words.about}</legend>
        {KINDS.map((kind) => (
          <label key={kind} class="switch">
            <input type="checkbox" name={kind} checked={!off.value.includes(kind)} onChange={(event) => choose(kind, event.currentTarget.checked)} />
            {words.kinds[kind].about}
          </label>
        ))}
      </fieldset>
      <label class="switch">
        <input type="checkbox" name="sound" checked={sound.value} onChange={(event) => (sound.value = event.currentTarget.checked)} />
        {words.sound}
      </label>
      <label class="switch">
        <input type="checkbox" name="text" checked={showsText.value} onChange={(event) => (showsText.value = event.currentTarget.checked)} />
        {words.showsText}
      </label>
      <label class="switch">
        <input type="checkbox" name="quiet" checked={isQuiet.value} onChange={(event) => (isQuiet.value = event.currentTarget.checked)} />
        {words.quiet}
      </label>
      {isQuiet.value && (
        <div class="hours">
          <Field label={words.from} error={problem?.about('notifications.quiet_hours.from')}>
            {(input) => <input {...input} type="time" name="from" required value={from.value} onInput={(event) => (from.value = event.currentTarget.value)} />}
          </Field>
          <Field label={words.to} error={problem?.about('notifications.quiet_hours.to')}>
            {(input) => <input {...input} type="time" name="to" required value={to.value} onInput={(event) => (to.value = event.currentTarget.value)} />}
          </Field>
        </div>
      )}
      {problem !== undefined && <ProblemNote problem={problem} />}
      <p role="status">{isDone.value && words.saved}</p>
      <div class="actions">
        <Button type="submit" busy={busy}>
          {words.save}
        </Button>
      </div>
    </form>
  );
}

/** The switch of this browser. A click on it alone lets the browser ask for its permission. */
function Here() {
  const words = notifications();
  const isRefused = permission.value === 'denied';
  return (
    <div>
      <label class="switch">
        <input
          type="checkbox"
          name="here"
          checked={isShown()}
          disabled={!isPossible}
          onChange={(event) => {
            const input = event.currentTarget;
            void switchHere(input.checked).then(() => (input.checked = isShown()));
          }}
        />
        {words.here}
      </label>
      <p class="soft" role="status">
        {isPossible ? isRefused && words.refused : words.impossible}
      </p>
    </div>
  );
}

/** The switch of pushes to this browser. A click on it alone lets the browser ask for its permission. */
function Pushed() {
  const words = notifications();
  const { busy, problem, run } = useWork();
  return (
    <div>
      <label class="switch">
        <input
          type="checkbox"
          name="push"
          checked={isPushed.value}
          disabled={!canPush || busy}
          onChange={(event) => {
            const input = event.currentTarget;
            void run(() => switchPushes(input.checked)).then(() => (input.checked = isPushed.peek()));
          }}
        />
        {words.push}
      </label>
      <p class="soft" role="status">
        {canPush ? words.pushText : words.pushImpossible}
      </p>
      {problem !== undefined && <ProblemNote problem={problem} />}
    </div>
  );
}
