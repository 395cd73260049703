import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isNobody, useBook, userName } from '../../api/book';
import { ask, asProblem } from '../../api/client';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { Initials } from '../../parts/initials';
import { useLoad } from '../../parts/load';
import { Page } from '../../parts/page';
import { ProblemNote } from '../../parts/problem';
import { Skeleton } from '../../parts/skeleton';
import { isVisible } from '../../parts/visible';
import { open } from '../../router';
import { contacts } from '../../words/contacts';
import { moment, shortMoment } from '../../words/language';
import { shell } from '../../words/shell';
import { EditContact } from './edit';
import './page.css';

export interface Contact {
  id: number;
  name: string;
  responsible_user_id: number | null;
  created_at: number;
  custom_fields_values: { field_code: string; values: { value: string }[] }[] | null;
}

interface Answer {
  _embedded: { contacts: Contact[] };
  _links: { next?: { href: string } };
}

const CONTACTS = '/api/v4/contacts';
const LIMIT = 250;
/** How long somebody must have stopped writing before the service is asked, in milliseconds. */
const TYPING = 250;

/** A field of a contact that came from the customer's profile. */
export function fieldOf(contact: Contact, code: 'PHONE' | 'EMAIL'): string | undefined {
  return contact.custom_fields_values?.find((field) => field.field_code === code)?.values[0]?.value;
}

/** A name may be nothing that is seen. */
const nameOf = ({ name }: Contact): string => (isVisible(name) ? name : contacts().nameless);

interface Listed {
  /** What was searched for. */
  wanted: string;
  rows: Contact[];
  next: string | undefined;
}

async function read(wanted: string, address: string, signal?: AbortSignal): Promise<Listed> {
  const query = address === CONTACTS ? { limit: LIMIT, query: wanted } : undefined;
  // An empty list has no body.
  const answer = await ask<Answer | undefined>(address, { ...(signal && { signal }), ...(query && { query }) });
  const link = answer?._links.next?.href;
  const next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search;
  return { wanted, rows: answer?._embedded.contacts ?? [], next };
}

/** Everybody whom a conversation was with, as far as the user may see them. */
export function ContactsPage({ id }: { id?: string | undefined }) {
  useBook();
  const words = contacts();
  const text = useSignal('');
  const timer = useRef<number | undefined>(undefined);
  // What is shown stays until the answer to another search is there.
  const { data, problem, reload } = useLoad('contacts', (signal) => read(text.peek().trim(), CONTACTS, signal));
  const rows = data.value?.rows ?? [];
  const isSearch = data.value !== undefined && data.value.wanted !== '';
  const search = (wanted: string, pause = TYPING): void => {
    text.value = wanted;
    clearTimeout(timer.current);
    timer.current = setTimeout(reload, pause);
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  const more = async (): Promise<void> => {
    const before = data.peek();
    if (before?.next === undefined) return;
    try {
      const further = await read(before.wanted, before.next);
      if (data.peek() !== before) return;
      const there = new Set(before.rows.map((contact) => contact.id));
      const rows = [...before.rows, ...further.rows.filter((contact) => !there.has(contact.id))];
      data.value = { ...further, rows };
    } catch (failure) {
      problem.value = asProblem(failure);
    }
  };
  return (
    <Page title={words.title}>
      {(rows.length > 0 || isSearch || text.value !== '') && (
        <div class="narrow-row">
          <input
            type="search"
            aria-label={words.filter}
            placeholder={words.filter}
            value={text.value}
            maxLength={100}
            onInput={(event) => search(event.currentTarget.value)}
          />
        </div>
      )}
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {data.value === undefined && problem.value === undefined && <Skeleton />}
      {data.value !== undefined && rows.length === 0 && !isSearch && (
        <Empty byRights title={words.empty} command={'send "Hello, is it in stock?"'}>
          <p>{words.emptyText}</p>
        </Empty>
      )}
      {isSearch && rows.length === 0 && data.value?.next === undefined && (
        <Empty title={words.nothing}>
          <Button onClick={() => search('', 0)}>{shell().clear}</Button>
        </Empty>
      )}
      {rows.length > 0 && (
        <div class="card contacts">
          <table class="stacks">
            <thead>
              <tr>
                <th scope="col">{words.name}</th>
                <th scope="col">{words.phone}</th>
                <th scope="col">{words.email}</th>
                <th scope="col">{words.responsible}</th>
                <th scope="col">{words.created}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map((contact) => (
                <tr key={contact.id}>
                  <th scope="row">
                    <span class="named">
                      <Initials name={nameOf(contact)} />
                      <a href={`/contacts/${contact.id}`} aria-label={words.edit(nameOf(contact))}>
                        <bdi>{nameOf(contact)}</bdi>
                      </a>
                    </span>
                  </th>
                  <td class="one-line" data-label={words.phone}>{fieldOf(contact, 'PHONE')}</td>
                  <td data-label={words.email}>{fieldOf(contact, 'EMAIL')}</td>
                  <td data-label={words.responsible}>
                    {isNobody(contact.responsible_user_id) ? <span class="soft">{userName(null)}</span> : userName(contact.responsible_user_id)}
                  </td>
                  <td class="one-line" data-label={words.created}>
                    <time dateTime={new Date(contact.created_at * 1000).toISOString()} title={moment(contact.created_at)}>
                      {shortMoment(contact.created_at)}
                    </time>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {data.value?.next !== undefined && (
        <p>
          <Button onClick={() => void more()}>{shell().loadMore}</Button>{' '}
          {isSearch && <span class="soft">{rows.length === 0 ? words.nothingSoFar : words.more}</span>}
        </p>
      )}
      {id !== undefined && (
        <EditContact
          key={id}
          id={id}
          onClose={(changed) => {
            if (changed !== undefined && data.value !== undefined) {
              const others = data.value.rows.map((contact) => (contact.id === changed.id ? changed : contact));
              data.value = { ...data.value, rows: others };
            }
            open('/contacts');
          }}
        />
      )}
    </Page>
  );
}
