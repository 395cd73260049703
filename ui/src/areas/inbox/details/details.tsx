import { useEffect, useRef } from 'preact/hooks';
import { learnResponsible, stageName, useBook, userName } from '../../../api/book';
import { isAdministrator } from '../../../api/session';
import { hasPage } from '../../../areas';
import { Button } from '../../../parts/button';
import { Copy } from '../../../parts/copy';
import { Initials } from '../../../parts/initials';
import { useLoad } from '../../../parts/load';
import { Outside } from '../../../parts/outside';
import { inbox } from '../../../words/inbox';
import { views } from '../../../words/views';
import { LeadActions } from '../../leads/actions';
import { readChannels } from '../channels';
import { type Conversation, nameOf, portrait } from '../types';
import './details.css';

interface Props {
  conversation: Conversation;
  /** Whether somebody opened it just now. */
  takesFocus: boolean;
  onClose: () => void;
}

/** Whom the conversation is with, its lead, and the ids that the integration knows them by. */
export function Details({ conversation, takesFocus, onClose }: Props) {
  useBook();
  const words = inbox().details;
  const head = useRef<HTMLElement>(null);
  useEffect(() => {
    if (takesFocus) head.current?.querySelector('button')?.focus();
  }, []);
  const name = nameOf(conversation);
  const { customer, lead } = conversation;
  const responsible = lead?.responsible_user_id ?? null;
  useEffect(() => learnResponsible(conversation.id, responsible), [conversation.id, responsible]);
  const untold = <span class="soft">{words.untold}</span>;
  return (
    <aside class="details" aria-label={words.title}>
      <header ref={head}>
        <Initials name={name} picture={portrait(customer)} />
        <h2 dir="auto">{name}</h2>
        <Button look="quiet" icon="close" label={words.close} onClick={onClose} />
      </header>
      <dl>
        <dt>{words.phone}</dt>
        <dd>{customer?.phone ?? untold}</dd>
        <dt>{words.email}</dt>
        <dd>{customer?.email ?? untold}</dd>
        {customer?.profile_link !== null && customer?.profile_link !== undefined && (
          <>
            <dt>{words.profile}</dt>
            <dd>
              <Outside to={customer.profile_link}>{customer.profile_link}</Outside>
            </dd>
          </>
        )}
      </dl>
      <section>
        <h3>
          {words.lead}
          {lead !== null && ` #${lead.id}`}
        </h3>
        {lead === null ? (
          <p class="soft">
            {conversation.no_lead === 'only_silent'
              ? words.noLead.only_silent(conversation.messages)
              : words.noLead[conversation.no_lead ?? 'no_messages']}
          </p>
        ) : (
          <>
            <dl>
              <dt>{words.stage}</dt>
              <dd>{stageName(lead.pipeline_id, lead.status_id)}</dd>
              <dt>{words.responsible}</dt>
              <dd>{userName(responsible)}</dd>
            </dl>
            <LeadActions lead={lead} />
          </>
        )}
      </section>
      <details class="ids-of">
        <summary>{words.ids}</summary>
        <dl class="ids">
          <Id says={words.conversation} id={conversation.client_id} />
          <Id says={words.person} id={customer?.client_id ?? null} />
          <Id says={words.scope} id={conversation.scope_id} />
          <Id says={words.own} id={conversation.id} />
        </dl>
      </details>
      {isAdministrator.value && conversation.channel !== null && <IntegrationPage channel={conversation.channel.id} />}
      {isAdministrator.value && hasPage('/callbacks') && (
        <p>
          <a href={`/callbacks?conversation=${conversation.id}`}>{words.callbacks}</a>
        </p>
      )}
    </aside>
  );
}

/** The link to the page of the integration, if the channel has one. */
function IntegrationPage({ channel }: { channel: string }) {
  const channels = useLoad('channels of the account', readChannels).data.value;
  const page = channels?.find(({ id }) => id === channel)?.page ?? null;
  if (page === null) return null;
  return (
    <p>
      <Outside to={page}>{views().page}</Outside>
    </p>
  );
}

function Id({ says, id }: { says: string; id: string | null }) {
  return (
    <>
      <dt>{says}</dt>
      <dd>
        <code title={id ?? undefined}>{id ?? '—'}</code>
        {id !== null && <Copy text={id} of={says} />}
      </dd>
    </>
  );
}
