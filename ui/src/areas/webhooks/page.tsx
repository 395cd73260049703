import { useSignal } from '@preact/signals';
import { ask } from '../../api/client';
import { isAdministrator } from '../../api/session';
import { Badge } from '../../parts/badge';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Page } from '../../parts/page';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { open } from '../../router';
import { webhooks as dictionary } from '../../words/webhooks';
import { hostOf } from '../oauth/client';
import { usePolled } from '../operator/polled';
import { Split } from '../operator/split';
import { Editor } from './editor';
import type { Webhook, Webhooks as List } from './types';
import { WebhookView } from './webhook';

/** How often the webhooks are looked at, in milliseconds: programs subscribe, and the service switches off. */
const EVERY = 5_000;

export function WebhooksPage({ id }: { id?: string | undefined }) {
  const words = dictionary();
  if (isAdministrator.value) return <Webhooks id={id} />;
  return (
    <Page title={words.title}>
      <Empty title={words.administrators}>
        <p>{words.administratorsText}</p>
      </Empty>
    </Page>
  );
}

const at = (id: number): string => `/webhooks/${id}`;

/** The webhooks of the account, and the one that the address names. */
function Webhooks({ id }: { id: string | undefined }) {
  const words = dictionary();
  const loaded = usePolled('webhooks', EVERY, (signal) => ask<List>('/inbox/v1/webhooks', { signal }));
  const creating = useSignal(false);
  const all = loaded.data.value?.webhooks;
  const never = loaded.data.value?.never_sent ?? [];
  const chosen = all?.find((webhook) => String(webhook.id) === id);
  const create = async (destination: string, settings: readonly string[]): Promise<void> => {
    const created = await ask<Webhook>('/api/v4/webhooks', { method: 'POST', body: { destination, settings } });
    creating.value = false;
    loaded.reload();
    open(at(created.id));
  };
  return (
    <Page
      title={words.title}
      about={chosen === undefined ? undefined : hostOf(chosen.destination)}
      fills
      actions={
        <Button look="primary" icon="plus" onClick={() => (creating.value = true)}>
          {words.create}
        </Button>
      }
    >
      <Split
        label={words.list}
        narrow={<p class="soft">{words.text}</p>}
        isChosen={id !== undefined}
        home="/webhooks"
        rows={
          <>
            {loaded.problem.value !== undefined && <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />}
            {all === undefined && loaded.problem.value === undefined && <Skeleton />}
            {all?.length === 0 && (
              <Empty title={words.empty}>
                <p>{words.emptyText}</p>
              </Empty>
            )}
            <ul>
              {all?.map((webhook) => (
                <li key={webhook.id}>
                  <a class="line" href={at(webhook.id)} aria-current={webhook === chosen ? 'true' : undefined}>
                    <span>{hostOf(webhook.destination)}</span>
                    {webhook.disabled_at !== null && (
                      <Badge tone="bad" icon="stopped">
                        {words.off}
                      </Badge>
                    )}
                    {webhook.disabled_at === null && !webhook.creator_is_admin && (
                      <Badge tone="warn" icon="warning">
                        {words.check}
                      </Badge>
                    )}
                    <span class="under">{words.events(webhook.settings.length)}</span>
                  </a>
                </li>
              ))}
            </ul>
          </>
        }
      >
        {id === undefined && all?.length !== 0 && <Empty title={words.choose} />}
        {id !== undefined && all !== undefined && chosen === undefined && <Empty title={words.missing} />}
        {chosen !== undefined && <WebhookView key={chosen.id} webhook={chosen} never={never} onChange={loaded.reload} />}
      </Split>
      {creating.value && <Editor never={never} onSave={create} onClose={() => (creating.value = false)} />}
    </Page>
  );
}
