import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { ProblemNote } from '../../parts/problem';
import { typed } from '../../parts/typed';
import { useWork } from '../../parts/work';
import { clients } from '../../words/clients';
import { operator } from '../../words/operator';
import { shell } from '../../words/shell';
import { AccountsChoice } from '../operator/accounts';
import type { Account, Channel } from '../operator/types';
import type { Client } from './types';

interface Props {
  title: string;
  /** What is changed; a new one is made otherwise. */
  client?: Client;
  accounts: readonly Account[];
  channels: readonly Channel[];
  onSave: (fields: object) => Promise<void>;
  onClose: () => void;
}

/** What a client is called, where it is reached, and who may install it. */
export function Editor({ title, client, accounts, channels, onSave, onClose }: Props) {
  const words = clients();
  const name = useSignal(client?.name ?? '');
  const redirect = useSignal(client?.redirect_uri ?? '');
  const hook = useSignal(client?.uninstall_hook ?? '');
  const channel = useSignal(client?.channel ?? '');
  const open = useSignal<readonly string[]>(client?.accounts ?? ['*']);
  const lists = useSignal(client?.list_external_messages ?? true);
  const sends = useSignal(client?.send_external_messages ?? true);
  const task = useWork();
  const problem = task.problem;
  /** What is left empty is taken away from a client that is there; a new one has none. */
  const optional = (field: string, value: string): object =>
    value !== '' ? { [field]: value } : client === undefined ? {} : { [field]: null };
  const save = (): Promise<void> =>
    task.run(() =>
      onSave({
        name: name.value,
        redirect_uri: redirect.value.trim(),
        ...optional('uninstall_hook', hook.value.trim()),
        ...optional('channel', channel.value),
        accounts: open.value,
        list_external_messages: lists.value,
        send_external_messages: sends.value,
      }),
    );
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <Field label={words.name} hint={words.nameHint} error={problem?.about('name')}>
          {(input) => <input {...input} required maxLength={255} {...typed(name)} />}
        </Field>
        <Field label={words.redirect} hint={words.redirectHint} error={problem?.about('redirect_uri')}>
          {(input) => <input {...input} required inputMode="url" placeholder="https://example.com/oauth/callback" {...typed(redirect)} />}
        </Field>
        <Field label={words.hook} hint={words.hookHint} error={problem?.about('uninstall_hook')}>
          {(input) => <input {...input} inputMode="url" {...typed(hook)} />}
        </Field>
        <Field label={operator().channel} hint={words.channelHint} error={problem?.about('channel')}>
          {(input) => (
            <select {...input} value={channel.value} onChange={(event) => (channel.value = event.currentTarget.value)}>
              <option value="">{words.noChannel}</option>
              {channels.map((known) => (
                <option key={known.id} value={known.id}>
                  {known.name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <AccountsChoice accounts={accounts} value={open.value} onChange={(ids) => (open.value = ids)} />
        <fieldset>
          <legend>{words.scopes}</legend>
          <label class="check">
            <input type="checkbox" checked={lists.value} onChange={(event) => (lists.value = event.currentTarget.checked)} />
            {words.listMessages}
          </label>
          <label class="check">
            <input type="checkbox" checked={sends.value} onChange={(event) => (sends.value = event.currentTarget.checked)} />
            {words.sendMessages}
          </label>
          <p class="hint">{words.scopesHint}</p>
        </fieldset>
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
