import { useSignal } from '@preact/signals';
import { ask } from '../../../api/client';
import { Button } from '../../../parts/button';
import { Dialog } from '../../../parts/dialog';
import { Field } from '../../../parts/field';
import { ProblemNote } from '../../../parts/problem';
import { useWork } from '../../../parts/work';
import { language } from '../../../words/language';
import { team } from '../../../words/team';
import { locale } from '../../../words/wanted';
import { CONVERSATIONS } from '../list/question';
import { put, reread } from '../list/store';
import type { Conversation } from '../types';
import './snooze.css';
import { type SnoozeTime, choices, inputValue } from './snooze-times';

/** «Mon, 30 Nov, 09:00 GMT+1»: a time in the zone of the person. Seconds since 1970. */
export function exactTime(seconds: number): string {
  const then = new Date(seconds * 1000);
  const isThisYear = then.getFullYear() === new Date().getFullYear();
  return new Intl.DateTimeFormat(locale(language.value), {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  }).format(then);
}

interface FormProps {
  busy: boolean;
  /** The words of what happens at the time: those of a snooze by default. */
  words?: Record<'explain' | 'action' | 'other' | 'wakes' | SnoozeTime['name'], string>;
  onChoose: (until: number, wakesOnMessage: boolean) => void;
}

/** The times to choose from, and what a message of the customer does: as for a snooze, so for a reply that is sent later. */
export function SnoozeForm({ busy, words = team().snooze, onChoose }: FormProps) {
  const wakes = useSignal(true);
  const now = new Date();
  const times = choices(now);
  const last = times.at(-1);
  const choose = (until: number): void => {
    if (!busy) onChoose(until, wakes.peek());
  };
  return (
    <>
      <p class="soft">{words.explain}</p>
      <label class="snooze-wakes">
        <input type="checkbox" checked={wakes.value} onChange={(event) => (wakes.value = event.currentTarget.checked)} />
        {words.wakes}
      </label>
      <ul class="snooze-choices">
        {times.map(({ name, until }) => (
          <li key={name}>
            <button type="button" class="snooze-choice" aria-disabled={busy || undefined} onClick={() => choose(until)}>
              {words[name]} <span class="soft">{exactTime(until)}</span>
            </button>
          </li>
        ))}
      </ul>
      <form
        class="stacked"
        onSubmit={(event) => {
          event.preventDefault();
          const value = String(new FormData(event.currentTarget).get('until'));
          choose(Math.floor(new Date(value).getTime() / 1000));
        }}
      >
        <Field label={words.other}>
          {(input) => (
            <input {...input} type="datetime-local" name="until" required min={inputValue(now)} defaultValue={last === undefined ? '' : inputValue(new Date(last.until * 1000))} />
          )}
        </Field>
        <div class="actions">
          <Button type="submit" busy={busy}>
            {words.action}
          </Button>
        </div>
      </form>
    </>
  );
}

/** Asks until when a conversation is to be out of the way. */
export function SnoozeDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const { busy, problem, run } = useWork();
  const snooze = (until: number, wake_on_message: boolean): Promise<void> =>
    run(async () => {
      try {
        const body = { until, wake_on_message };
        put(await ask<Conversation>(`${CONVERSATIONS}/${id}/snooze`, { method: 'POST', body }), false);
        onClose();
      } catch (failure) {
        // A colleague may have closed it.
        void reread(id);
        throw failure;
      }
    });
  return (
    <Dialog title={team().snooze.title} onClose={onClose}>
      <SnoozeForm busy={busy} onChoose={(until, wakes) => void snooze(until, wakes)} />
      {problem !== undefined && <ProblemNote problem={problem} />}
    </Dialog>
  );
}
