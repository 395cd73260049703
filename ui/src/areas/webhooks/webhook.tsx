import { useSignal } from '@preact/signals';
import { ask } from '../../api/client';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { Confirm } from '../../parts/confirm';
import { ProblemNote } from '../../parts/problem';
import { useWork } from '../../parts/work';
import { open } from '../../router';
import { moment } from '../../words/language';
import { webhooks } from '../../words/webhooks';
import { hostOf } from '../oauth/client';
import { Fact, Facts } from '../operator/facts';
import { Moment } from '../operator/program';
import type { Code, Webhook } from './types';

interface Props {
  webhook: Webhook;
  /** The events that never happen. */
  never: readonly Code[];
  onChange: () => void;
}

/** One webhook: where it goes, what of, whose it is, and why it is off. */
export function WebhookView({ webhook, never, onChange }: Props) {
  const words = webhooks();
  const deleting = useSignal(false);
  const task = useWork();
  const enable = (): Promise<void> =>
    task.run(async () => {
      await ask<void>(`/inbox/v1/webhooks/${webhook.id}/enable`, { method: 'POST' });
      onChange();
    });
  const remove = async (): Promise<void> => {
    await ask<void>('/api/v4/webhooks', { method: 'DELETE', body: { destination: webhook.destination } });
    deleting.value = false;
    onChange();
    open('/webhooks');
  };
  const creator = webhook.creator_name ?? words.user(webhook.created_by);
  return (
    <article>
      <header class="head">
        <h2>{hostOf(webhook.destination)}</h2>
        <div class="buttons">
          {webhook.disabled_at !== null && (
            <Button look="primary" icon="check" busy={task.busy} onClick={() => void enable()}>
              {words.enable}
            </Button>
          )}
          <Button icon="trash" onClick={() => (deleting.value = true)}>
            {words.remove}
          </Button>
        </div>
      </header>
      {task.problem !== undefined && <ProblemNote problem={task.problem} />}
      {webhook.disabled_at !== null && (
        <p class="note" role="status">
          {words.offSince(moment(webhook.disabled_at))} {words.disabled[webhook.disabled_by ?? 'operator']}
        </p>
      )}
      {!webhook.creator_is_admin && <p class="note">{words.noAdministrator(creator)}</p>}
      <Facts>
        <Fact name={words.destination} copy={webhook.destination}>
          <code>{webhook.destination}</code>
        </Fact>
        <Fact name={words.settings}>
          {webhook.settings.map((code) => (
            <div key={code}>
              {words.codes[code]} {never.includes(code) && <Badge icon="stopped">{words.never}</Badge>}
            </div>
          ))}
        </Fact>
        <Fact name={words.creator}>
          <bdi>{creator}</bdi>
        </Fact>
        <Fact name={words.since}>
          <Moment at={webhook.created_at} />
        </Fact>
        {webhook.client_id !== null && (
          <Fact name={words.client}>
            <a href={`/integrations/${encodeURIComponent(webhook.client_id)}`}>{webhook.client_name ?? webhook.client_id}</a>
          </Fact>
        )}
      </Facts>
      {deleting.value && (
        <Confirm
          title={words.removeTitle(hostOf(webhook.destination))}
          text={words.removeText}
          action={words.remove}
          icon="trash"
          onConfirm={remove}
          onClose={() => (deleting.value = false)}
        />
      )}
    </article>
  );
}
