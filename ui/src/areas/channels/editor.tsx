import { type Signal, useSignal } from '@preact/signals';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { CHANNEL_KINDS, type ChannelKind, kindName } from '../../parts/kind';
import { ProblemNote } from '../../parts/problem';
import { typed } from '../../parts/typed';
import { useWork } from '../../parts/work';
import { channels } from '../../words/channels';
import { shell } from '../../words/shell';
import { AccountsChoice } from '../operator/accounts';
import type { Account, Channel } from '../operator/types';

interface Props {
  title: string;
  /** What is changed; a new one is made otherwise. */
  channel?: Channel;
  accounts: readonly Account[];
  onSave: (fields: object) => Promise<void>;
  onClose: () => void;
}

/** What a channel is called, where its callbacks go, and whose it is. */
export function Editor({ title, channel, accounts, onSave, onClose }: Props) {
  const words = channels();
  const name = useSignal(channel?.name ?? '');
  const kind = useSignal<ChannelKind>(channel?.kind ?? 'other');
  const page = useSignal(channel?.page ?? '');
  const v1 = useSignal(channel?.webhook_v1 ?? '');
  const v2 = useSignal(channel?.webhook_v2 ?? '');
  const timeout = useSignal(String(channel?.timeout_seconds ?? ''));
  const buttons = useSignal(channel?.buttons ?? false);
  const lists = useSignal(channel?.lists ?? false);
  const hours = useSignal(String(channel?.window_hours ?? ''));
  const assigns = useSignal(channel?.auto_assign ?? false);
  const limit = useSignal(String(channel?.assignment_limit ?? 20));
  const open = useSignal<readonly string[]>(channel?.accounts ?? ['*']);
  const task = useWork();
  const problem = task.problem;
  const save = (): Promise<void> =>
    task.run(async () => {
      const optional = (field: string, value: unknown, isGiven: boolean): object =>
        isGiven ? { [field]: value } : channel === undefined ? {} : { [field]: null };
      await onSave({
        name: name.value,
        kind: kind.value,
        ...optional('page', page.value.trim(), page.value.trim() !== ''),
        ...optional('webhook_v1', v1.value.trim(), v1.value.trim() !== ''),
        ...optional('webhook_v2', v2.value.trim(), v2.value.trim() !== ''),
        ...optional('timeout_seconds', Number(timeout.value), timeout.value !== ''),
        ...optional('window_hours', Number(hours.value), hours.value !== ''),
        buttons: buttons.value,
        lists: lists.value,
        auto_assign: assigns.value,
        assignment_limit: Number(limit.value),
        accounts: open.value,
      });
    });
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label={words.name} error={problem?.about('name')}>
          {(input) => <input {...input} required maxLength={255} {...typed(name)} />}
        </Field>
        <Field label={words.kind} hint={words.kindHint} error={problem?.about('kind')}>
          {(input) => (
            <select
              {...input}
              value={kind.value}
              onChange={(event) => {
                const chosen = CHANNEL_KINDS.find((it) => it === event.currentTarget.value);
                if (chosen !== undefined) kind.value = chosen;
              }}
            >
              {CHANNEL_KINDS.map((it) => (
                <option key={it} value={it} selected={it === kind.value}>
                  {kindName(it)}
                </option>
              ))}
            </select>
          )}
        </Field>
        <Field label={words.page} hint={words.pageHint} error={problem?.about('page')}>
          {(input) => <input {...input} inputMode="url" placeholder="https://example.com/" {...typed(page)} />}
        </Field>
        <Field label={words.address('v2')} hint={words.addressHint} error={problem?.about('webhook_v2')}>
          {(input) => <input {...input} inputMode="url" placeholder="https://example.com/hook/:scope_id" {...typed(v2)} />}
        </Field>
        <Field label={words.address('v1')} error={problem?.about('webhook_v1')}>
          {(input) => <input {...input} inputMode="url" {...typed(v1)} />}
        </Field>
        <Field label={words.timeout} hint={words.timeoutHint} error={problem?.about('timeout_seconds')}>
          {(input) => <input {...input} type="number" min="1" max="30" {...typed(timeout)} />}
        </Field>
        <Field label={words.window} hint={words.windowHint} error={problem?.about('window_hours')}>
          {(input) => <input {...input} type="number" min="1" max="720" {...typed(hours)} />}
        </Field>
        <fieldset>
          <legend>{words.shows}</legend>
          <Switch on={buttons} name={words.buttons} />
          <Switch on={lists} name={words.lists} />
          <p class="soft">{words.showsText}</p>
        </fieldset>
        <fieldset>
          <legend>{words.assignment}</legend>
          <Switch on={assigns} name={words.autoAssign} />
          <Field label={words.assignmentLimit} hint={words.assignmentHint} error={problem?.about('assignment_limit')}>
            {(input) => <input {...input} type="number" min="1" max="500" required {...typed(limit)} />}
          </Field>
        </fieldset>
        <AccountsChoice accounts={accounts} value={open.value} onChange={(ids) => (open.value = ids)} />
        {problem !== undefined && <ProblemNote problem={problem} />}
        <div class="actions">
          <Button onClick={onClose}>{shell().cancel}</Button>
          <Button type="submit" look="primary" busy={task.busy}>
            {shell().save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Switch({ on, name }: { on: Signal<boolean>; name: string }) {
  return (
    <label class="check">
      <input type="checkbox" checked={on.value} onChange={(event) => (on.value = event.currentTarget.checked)} />
      {name}
    </label>
  );
}
