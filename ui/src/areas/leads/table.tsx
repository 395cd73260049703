import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../parts/button';
import { Initials } from '../../parts/initials';
import { isVisible } from '../../parts/visible';
import { leads as words } from '../../words/leads';
import { inbox } from '../../words/inbox';
import { age, moment } from '../../words/language';
import type { Unsorted } from './store';

/** How often the time that somebody waits is written anew, in milliseconds. */
const MINUTE = 60_000;

interface Props {
  leads: readonly Unsorted[];
  chosen: Signal<ReadonlySet<string>>;
  busy: boolean;
  onAccept: (lead: Unsorted) => void;
  onAsk: (ids: readonly number[], what: 'accept' | 'decline') => void;
}

/** Whose lead it is; a name may be nothing that is seen. */
function fromOf({ metadata, source_name: source }: Unsorted): string {
  const name = metadata.from ?? metadata.phone ?? source;
  return isVisible(name) ? name : words().nameless;
}

/** What the customer said last, or of what kind it was. */
function Said({ category, metadata }: Unsorted) {
  const { last_message_text: text = null, last_message_type: kind = null } = metadata;
  if (category !== 'chats') {
    const what = category === 'forms' ? words().form(metadata.form_name ?? '') : words().call;
    return (
      <span class="said soft" dir="auto">
        {what}
      </span>
    );
  }
  if (text !== null && text !== '') {
    return (
      <span class="said" dir="auto">
        {text}
      </span>
    );
  }
  return <span class="said soft">{kind === null ? words().noText : inbox().kinds[kind]}</span>;
}

/** Whose lead it is, with the way to the conversation if there is one. */
function Who({ lead }: { lead: Unsorted }) {
  const chat = lead.metadata.origin?.chat_id;
  const who = (
    <>
      <Initials name={fromOf(lead)} />
      <span>
        <bdi>{fromOf(lead)}</bdi>
        <span class="soft">
          #{lead.uid} · {lead.source_name}
        </span>
      </span>
    </>
  );
  if (chat === undefined) return <span class="who">{who}</span>;
  return (
    <a href={`/conversations/${chat}`} title={words().open}>
      {who}
    </a>
  );
}

/** The unsorted leads, those that wait longest first, with what can be done with each. */
export function LeadTable({ leads, chosen, busy, onAccept, onAsk }: Props) {
  const { customer, last, waits, actions, list, chooseAll } = words();
  const minute = useSignal(0);
  useEffect(() => {
    const timer = setInterval(() => (minute.value += 1), MINUTE);
    return () => clearInterval(timer);
  }, []);
  void minute.value;
  const put = (uids: readonly string[], on: boolean): void => {
    const next = new Set(chosen.peek());
    for (const uid of uids) on ? next.add(uid) : next.delete(uid);
    chosen.value = next;
  };
  return (
    <div class="card leads">
      <table class="stacks" aria-label={list}>
        <thead>
          <tr>
            <td>
              <label>
                <input
                  type="checkbox"
                  aria-label={chooseAll}
                  checked={leads.every((lead) => chosen.value.has(lead.uid))}
                  onChange={(event) => put(leads.map((lead) => lead.uid), event.currentTarget.checked)}
                />
              </label>
            </td>
            <th scope="col">{customer}</th>
            <th scope="col">{last}</th>
            <th scope="col">{waits}</th>
            <th scope="col">
              <span class="unseen">{actions}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {leads.map((lead) => (
            <tr key={lead.uid} data-lead={lead.uid} tabIndex={-1}>
              <td class="choice">
                <label>
                  <input
                    type="checkbox"
                    aria-label={words().choose(fromOf(lead))}
                    checked={chosen.value.has(lead.uid)}
                    onChange={(event) => put([lead.uid], event.currentTarget.checked)}
                  />
                </label>
              </td>
              <th scope="row">
                <Who lead={lead} />
              </th>
              <td data-label={last}>
                <Said {...lead} />
              </td>
              <td data-label={waits}>
                <time dateTime={new Date(lead.created_at * 1000).toISOString()} title={moment(lead.created_at)}>
                  {age(lead.created_at)}
                </time>
              </td>
              <td class="lead-actions">
                <Button look="primary" busy={busy} onClick={() => onAccept(lead)}>
                  {words().accept}
                </Button>
                <Button onClick={() => onAsk([Number(lead.uid)], 'accept')}>{words().acceptAs}</Button>
                <Button look="quiet" onClick={() => onAsk([Number(lead.uid)], 'decline')}>
                  {words().decline}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
