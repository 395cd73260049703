import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Button } from '../../parts/button';
import { Initials } from '../../parts/initials';
import { isVisible } from '../../parts/visible';
import { deals as words } from '../../words/deals';
import { inbox } from '../../words/inbox';
import { age, moment } from '../../words/language';
import type { Unsorted } from './store';

/** How often the time that somebody waits is written anew, in milliseconds. */
const MINUTE = 60_000;

interface Props {
  deals: readonly Unsorted[];
  chosen: Signal<ReadonlySet<string>>;
  busy: boolean;
  onAccept: (deal: Unsorted) => void;
  onAsk: (ids: readonly number[], what: 'accept' | 'decline') => void;
}

/** Whose deal it is; a name may be nothing that is seen. */
function fromOf({ metadata }: Unsorted): string {
  return isVisible(metadata.from) ? metadata.from : words().nameless;
}

/** What the customer said last, or of what kind it was. */
function Said({ metadata }: { metadata: Unsorted['metadata'] }) {
  const { last_message_text: text, last_message_type: kind } = metadata;
  if (text !== null && text !== '') {
    return (
      <span class="said" dir="auto">
        {text}
      </span>
    );
  }
  return <span class="said soft">{kind === null ? words().noText : inbox().kinds[kind]}</span>;
}

/** The unsorted deals, those that wait longest first, with what can be done with each. */
export function DealTable({ deals, chosen, busy, onAccept, onAsk }: Props) {
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
    <div class="card deals">
      <table class="stacks" aria-label={list}>
        <thead>
          <tr>
            <td>
              <label>
                <input
                  type="checkbox"
                  aria-label={chooseAll}
                  checked={deals.every((deal) => chosen.value.has(deal.uid))}
                  onChange={(event) => put(deals.map((deal) => deal.uid), event.currentTarget.checked)}
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
          {deals.map((deal) => (
            <tr key={deal.uid} data-deal={deal.uid} tabIndex={-1}>
              <td class="choice">
                <label>
                  <input
                    type="checkbox"
                    aria-label={words().choose(fromOf(deal))}
                    checked={chosen.value.has(deal.uid)}
                    onChange={(event) => put([deal.uid], event.currentTarget.checked)}
                  />
                </label>
              </td>
              <th scope="row">
                <a href={`/conversations/${deal.metadata.origin.chat_id}`} title={words().open}>
                  <Initials name={fromOf(deal)} />
                  <span>
                    <bdi>{fromOf(deal)}</bdi>
                    <span class="soft">
                      #{deal.uid} · {deal.source_name}
                    </span>
                  </span>
                </a>
              </th>
              <td data-label={last}>
                <Said metadata={deal.metadata} />
              </td>
              <td data-label={waits}>
                <time dateTime={new Date(deal.created_at * 1000).toISOString()} title={moment(deal.created_at)}>
                  {age(deal.created_at)}
                </time>
              </td>
              <td class="deal-actions">
                <Button look="primary" busy={busy} onClick={() => onAccept(deal)}>
                  {words().accept}
                </Button>
                <Button onClick={() => onAsk([Number(deal.uid)], 'accept')}>{words().acceptAs}</Button>
                <Button look="quiet" onClick={() => onAsk([Number(deal.uid)], 'decline')}>
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
