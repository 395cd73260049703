import { useSignal } from '@preact/signals';
import { userName } from '../../api/book';
import { ask } from '../../api/client';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { Dialog } from '../../parts/dialog';
import { Field } from '../../parts/field';
import { ProblemNote } from '../../parts/problem';
import { typed } from '../../parts/typed';
import { useWork } from '../../parts/work';
import { day } from '../../words/language';
import { oauth } from '../../words/oauth';
import { shell } from '../../words/shell';
import { Part } from '../operator/facts';
import { Listed } from '../operator/listed';
import { Once } from '../operator/once';
import { pathOf } from './client';
import type { Integration, LongLivedToken } from './types';

const DAY = 86_400;
/** Five years, in days. */
const MOST_DAYS = 5 * 365;

interface Props {
  client: Integration;
  onChange: () => void;
}

/** The long-lived tokens of an integration in this account. */
export function LongLivedTokens({ client, onChange }: Props) {
  const words = oauth().tokens;
  const creating = useSignal(false);
  /** The token that was just made: there is no other moment to see it. */
  const made = useSignal<LongLivedToken | undefined>(undefined);
  const revoking = useSignal<LongLivedToken | undefined>(undefined);
  const all = client.grant?.long_lived_tokens ?? [];
  const create = async (name: string, days: number): Promise<void> => {
    const body = { name, expires_in_seconds: days * DAY };
    made.value = await ask<LongLivedToken>(`${pathOf(client.id)}/tokens`, { method: 'POST', body });
    creating.value = false;
    onChange();
  };
  const revoke = async (token: LongLivedToken): Promise<void> => {
    await ask<void>(`${pathOf(client.id)}/tokens/${token.id}`, { method: 'DELETE' });
    revoking.value = undefined;
    onChange();
  };
  return (
    <Part
      title={words.title}
      actions={
        <Button icon="plus" onClick={() => (creating.value = true)}>
          {words.create}
        </Button>
      }
    >
      <p class="soft">{words.text}</p>
      {all.length === 0 ? <p class="soft">{words.none}</p> : <Table tokens={all} onRevoke={(token) => (revoking.value = token)} />}
      {creating.value && (
        <Create isInstalled={client.grant !== null} onCreate={create} onClose={() => (creating.value = false)} />
      )}
      {made.value !== undefined && (
        <Once
          title={words.made(made.value.name)}
          text={words.once}
          name={words.token}
          secret={made.value.token}
          kept={words.kept}
          onClose={() => (made.value = undefined)}
        />
      )}
      {revoking.value !== undefined && (
        <Confirm
          title={words.revokeTitle(revoking.value.name)}
          text={words.revokeText}
          action={words.revoke}
          icon="trash"
          onConfirm={() => revoke(revoking.value as LongLivedToken)}
          onClose={() => (revoking.value = undefined)}
        />
      )}
    </Part>
  );
}

function Table({ tokens, onRevoke }: { tokens: readonly LongLivedToken[]; onRevoke: (token: LongLivedToken) => void }) {
  const words = oauth().tokens;
  return (
    <Listed name="long-lived" columns={[words.nameAndUser, words.created, words.expires]} action={words.revoke}>
      {tokens.map((token) => (
        <tr key={token.id}>
          <th scope="row">
            <div class="caller">
              <bdi>{token.name}</bdi>
              <span class="soft">{userName(token.user_id)}</span>
            </div>
          </th>
          <td data-label={words.created}>{day(token.created_at)}</td>
          <td data-label={words.expires}>{day(token.expires_at)}</td>
          <td>
            <Button icon="trash" onClick={() => onRevoke(token)}>
              {words.revoke}
            </Button>
          </td>
        </tr>
      ))}
    </Listed>
  );
}

interface CreateProps {
  isInstalled: boolean;
  onCreate: (name: string, days: number) => Promise<void>;
  onClose: () => void;
}

function Create({ isInstalled, onCreate, onClose }: CreateProps) {
  const words = oauth().tokens;
  const name = useSignal('');
  const days = useSignal('365');
  const task = useWork();
  return (
    <Dialog title={words.create} onClose={onClose}>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault();
          void task.run(() => onCreate(name.value.trim(), Number(days.value)));
        }}
      >
        {!isInstalled && <p>{words.installs}</p>}
        <Field label={words.name} hint={words.nameHint} error={task.problem?.about('name')}>
          {(input) => <input {...input} required maxLength={255} {...typed(name)} />}
        </Field>
        <Field label={words.days} hint={words.daysHint} error={task.problem?.about('expires_in_seconds')}>
          {(input) => <input {...input} type="number" min="1" max={MOST_DAYS} required {...typed(days)} />}
        </Field>
        {task.problem !== undefined && <ProblemNote problem={task.problem} />}
        <div class="actions">
          <Button onClick={onClose}>{shell().cancel}</Button>
          <Button type="submit" look="primary" busy={task.busy}>
            {words.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
