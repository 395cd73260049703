import type { ComponentChildren } from 'preact';
import { me } from '../../../api/session';
import { Copy } from '../../../parts/copy';
import { useLoad } from '../../../parts/load';
import { Page } from '../../../parts/page';
import { ProblemNote } from '../../../parts/problem';
import { Skeleton } from '../../../parts/skeleton';
import { people } from '../../../words/people';
import { Administrators } from '../administrators';
import { RightsTable, Short } from '../letter';
import { stageName } from '../roles/stages';
import { Told } from '../told';
import * as api from '../types';
import { groupsOf } from './change';
import { EditUser } from './edit';
import { Switching } from './switching';
import { AccessOf, StateOf } from './table';
import './users.css';

export function UserPage({ id }: { id: string }) {
  return <Administrators title={people().users.one}>{() => <One id={id} />}</Administrators>;
}

function One({ id }: { id: string }) {
  const words = people().users;
  const found = useLoad(`user ${id}`, async (signal) => {
    const [user, pipelines, roles, all] = await Promise.all([
      api.user(id, signal),
      api.pipelines(signal),
      api.roles(signal),
      api.everybody(signal),
    ]);
    return { user, pipelines, roles: roles.items, groups: groupsOf([user, ...all.items]) };
  });
  if (found.data.value === undefined) {
    return (
      <Page title={words.one}>
        {found.problem.value === undefined ? <Skeleton /> : <ProblemNote problem={found.problem.value} retry={found.reload} />}
      </Page>
    );
  }
  const { user, pipelines, roles, groups } = found.data.value;
  const { rights } = user;
  const rows: [string, ComponentChildren][] = [
    [words.email, user.email],
    [words.state, <StateOf user={user} />],
    [words.access, <AccessOf user={user} />],
    [words.group, user._embedded?.groups?.[0]?.name ?? rights.group_id],
    [words.lang, user.lang],
    [words.number, <code>{user.id}</code>],
    [
      words.chatId,
      <span class="id">
        <code>{user.amojo_id}</code>
        <Copy text={user.amojo_id ?? ''} of={words.chatId} />
      </span>,
    ],
    [words.rank, user.user_rank === undefined ? '—' : words.ranks[user.user_rank]],
  ];
  const from = rights.is_admin
    ? words.fromAdministrator
    : rights.is_free
      ? words.fromFree
      : rights.role_id === null
        ? words.fromOwn
        : words.fromRole(user._embedded?.roles?.[0]?.name ?? String(rights.role_id));
  return (
    <Page title={user.name} actions={<a class="button" href={`/rights?user=${user.id}`}>{words.mayThey}</a>}>
      <Told />
      <dl class="user-facts card">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {user.id === me.value?.user.id ? null : <Switching users={[user]} listed={false} reload={found.reload} />}
      <EditUser key={JSON.stringify(user)} user={user} roles={roles} groups={groups} onSaved={found.reload} />
      <section class="effective" aria-labelledby="effective">
        <h2 id="effective">{words.effective}</h2>
        <p class="soft">{from}</p>
        <RightsTable rights={rights} />
        {(rights.status_rights?.length ?? 0) > 0 && (
          <>
            <h3>{people().stages.title}</h3>
            <ul class="stage-list">
              {rights.status_rights?.map((stage) => (
                <li key={`${stage.pipeline_id}/${stage.status_id}`}>
                  <Short row={stage.rights} /> {stageName(pipelines, stage)}
                </li>
              ))}
            </ul>
          </>
        )}
      </section>
    </Page>
  );
}
