import { useSignal } from '@preact/signals';
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

const FIRST = '/api/v4/contacts?limit=250';

/** A field of a contact that came from the customer's profile. */
export function fieldOf(contact: Contact, code: 'PHONE' | 'EMAIL'): string | undefined {
  return contact.custom_fields_values?.find((field) => field.field_code === code)?.values[0]?.value;
}

/** A name may be nothing that is seen. */
const nameOf = ({ name }: Contact): string => (isVisible(name) ? name : contacts().nameless);

async function read(address: string, signal?: AbortSignal): Promise<{ rows: Contact[]; next: string | undefined }> {
  // An empty list has no body.
  const answer = await ask<Answer | undefined>(address, signal === undefined ? {} : { signal });
  const link = answer?._links.next?.href;
  const next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search;
  return { rows: answer?._embedded.contacts ?? [], next };
}

/** Everybody whom a conversation was with, as far as the user may see them. */
export function ContactsPage({ id }: { id?: string | undefined }) {
  useBook();
  const words = contacts();
  const text = useSignal('');
  const { data, problem, reload } = useLoad('contacts', (signal) => read(FIRST, signal));
  const rows = data.value?.rows ?? [];
  const wanted = text.value.trim().toLocaleLowerCase();
  const shown = rows.filter((contact) =>
    [contact.name, fieldOf(contact, 'PHONE'), fieldOf(contact, 'EMAIL')].some(
      (it) => wanted === '' || it?.toLocaleLowerCase().includes(wanted) === true,
    ),
  );
  const more = async (): Promise<void> => {
    const before = data.peek();
    if (before?.next === undefined) return;
    try {
      const older = await read(before.next);
      data.value = { rows: [...before.rows, ...older.rows], next: older.next };
    } catch (failure) {
      problem.value = asProblem(failure);
    }
  };
  return (
    <Page title={words.title}>
      {rows.length > 0 && (
        <div class="narrow-row">
          <input
            type="search"
            aria-label={words.filter}
            placeholder={words.filter}
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
        </div>
      )}
      {problem.value !== undefined && <ProblemNote problem={problem.value} retry={reload} />}
      {data.value === undefined && problem.value === undefined && <Skeleton />}
      {data.value !== undefined && rows.length === 0 && (
        <Empty byRights title={words.empty} command={'send "Hello, is it in stock?"'}>
          <p>{words.emptyText}</p>
        </Empty>
      )}
      {rows.length > 0 && shown.length === 0 && (
        <Empty title={words.nothing}>
          <Button onClick={() => (text.value = '')}>{shell().clear}</Button>
        </Empty>
      )}
      {shown.length > 0 && (
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
              {shown.map((contact) => (
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
          <Button onClick={() => void more()}>{shell().loadMore}</Button> {wanted !== '' && <span class="soft">{words.more}</span>}
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
