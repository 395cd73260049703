import { ask } from '../../../api/client';
import { isAdministrator, me } from '../../../api/session';
import { Field } from '../../../parts/field';
import { useLoad } from '../../../parts/load';
import { Page } from '../../../parts/page';
import { ProblemNote } from '../../../parts/problem';
import { Skeleton } from '../../../parts/skeleton';
import { narrow, place } from '../../../router';
import { people } from '../../../words/people';
import * as api from '../types';
import { Answer, type Lead, type Ruling } from './answer';
import { DEEDS, type Question, read } from './question';
import './explain.css';

/** How many leads are offered by name; any other can be given by its number. */
const OFFERED = 50;

interface Around {
  users: readonly api.User[];
  pipelines: readonly api.Pipeline[];
  leads: readonly Lead[];
}

/** «May X do Y?»: for administrators of anybody, for others of themselves. */
export function ExplainPage() {
  const words = people().explain;
  const around = useLoad<Around>('rights', async (signal) => {
    // An empty list has no body.
    const leads = ask<{ _embedded: { leads: Lead[] } } | undefined>('/api/v4/leads', { query: { limit: OFFERED }, signal });
    const [users, pipelines, listed] = await Promise.all([
      isAdministrator.peek() ? api.everybody(signal) : undefined,
      api.pipelines(signal),
      leads,
    ]);
    const own = me.peek()?.user as unknown as api.User;
    return { users: users?.items ?? [own], pipelines, leads: listed?._embedded.leads ?? [] };
  });
  const question = read(place.value.query, me.value?.user.id ?? 0);
  return (
    <Page title={words.title}>
      <p class="soft">{words.text}</p>
      {around.problem.value !== undefined && <ProblemNote problem={around.problem.value} retry={around.reload} />}
      {around.data.value === undefined ? (
        around.problem.value === undefined && <Skeleton rows={2} />
      ) : (
        <>
          <Ask question={question} around={around.data.value} />
          <div role="status">
            <Answered question={question} around={around.data.value} />
          </div>
        </>
      )}
    </Page>
  );
}

function Ask({ question, around }: { question: Question; around: Around }) {
  const words = people().explain;
  const { things, actions } = people();
  const of = (thing: string, action: string | undefined): string => `${thing}.${action ?? ''}`;
  const isKnown = around.users.some((user) => user.id === question.user);
  return (
    <form class="question card" onSubmit={(event) => event.preventDefault()}>
      <Field label={words.who} hint={isAdministrator.value ? undefined : words.onlyYou}>
        {(input) => (
          <select {...input} disabled={!isAdministrator.value} value={question.user} onChange={(event) => narrow({ user: event.currentTarget.value })}>
            {!isKnown && <option value={question.user}>#{question.user}</option>}
            {around.users.map((user) => (
              <option key={user.id} value={user.id}>
                {user.name}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={words.what}>
        {(input) => (
          <select
            {...input}
            value={of(question.thing, question.action)}
            onChange={(event) => {
              const [entity = '', action = ''] = event.currentTarget.value.split('.');
              narrow({ entity, action, ...(entity === question.thing ? {} : { id: null }) });
            }}
          >
            {DEEDS.map((deed) =>
              deed.actions.length === 0 ? (
                <option key={deed.thing} value={of(deed.thing, undefined)}>
                  {things[deed.thing]}
                </option>
              ) : (
                <optgroup key={deed.thing} label={things[deed.thing]}>
                  {deed.actions.map((action) => (
                    <option key={action} value={of(deed.thing, action)}>
                      {`${things[deed.thing]}: ${actions[action]}`}
                    </option>
                  ))}
                </optgroup>
              ),
            )}
          </select>
        )}
      </Field>
      {(question.thing === 'leads' || question.thing === 'contacts') && (
        <Field label={question.thing === 'leads' ? words.lead : words.contact} hint={words.idHint}>
          {(input) => (
            <input
              {...input}
              inputMode="numeric"
              autocomplete="off"
              list={question.thing === 'leads' ? 'leads' : undefined}
              value={question.id}
              onInput={(event) => narrow({ id: event.currentTarget.value.replaceAll(/\D/g, '').slice(0, 15) })}
            />
          )}
        </Field>
      )}
      <datalist id="leads">
        {around.leads.map((lead) => (
          <option key={lead.id} value={lead.id}>
            {lead.name}
          </option>
        ))}
      </datalist>
    </form>
  );
}

function Answered({ question, around }: { question: Question; around: Around }) {
  const { user, thing, action, id } = question;
  const found = useLoad(`${user} ${thing} ${action} ${id}`, async (signal) => {
    const query = { entity: thing, action, user_id: user, id };
    const ruling = await ask<Ruling>('/inbox/v1/rights/explain', { query, signal });
    const lead = thing === 'leads' && id !== '' ? await ask<Lead | undefined>(`/api/v4/leads/${id}`, { signal }) : undefined;
    return { ruling, lead };
  });
  if (found.problem.value !== undefined) return <ProblemNote problem={found.problem.value} retry={found.reload} />;
  const told = found.data.value;
  if (told === undefined || told.ruling.user_id !== user) return <Skeleton rows={2} />;
  return <Answer question={question} ruling={told.ruling} lead={told.lead} users={around.users} pipelines={around.pipelines} />;
}
