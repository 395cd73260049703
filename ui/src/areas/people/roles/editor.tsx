import { useSignal } from '@preact/signals';
import { type Problem, ask, asProblem } from '../../../api/client';
import { Button } from '../../../parts/button';
import { Field } from '../../../parts/field';
import { useLoad } from '../../../parts/load';
import { Page } from '../../../parts/page';
import { ProblemNote } from '../../../parts/problem';
import { Skeleton } from '../../../parts/skeleton';
import { open, place } from '../../../router';
import { people } from '../../../words/people';
import { shell } from '../../../words/shell';
import { Administrators } from '../administrators';
import { RightsEditor } from '../rights-editor';
import { patch } from '../rights';
import { Told, tell } from '../told';
import * as api from '../types';
import { Differences, Effect } from './changes';
import { DeleteRole } from './delete';
import { type Draft, bodyOf, content, draftOf, forget, isChanged } from './draft';
import { Holders } from './holders';
import { Preview } from './preview';
import { Stages } from './stages';

/** What an address has instead of a number when the role is still to be made. */
const NEW = 'new';

interface Loaded {
  role: api.Role | undefined;
  from: api.Role | undefined;
  pipelines: api.Pipeline[];
  users: api.User[];
}

export function RolePage({ id }: { id: string }) {
  const from = place.value.query.get('from') ?? undefined;
  const title = id === NEW ? people().roles.add : people().roles.one;
  return <Administrators title={title}>{() => <Loading key={`${id} ${from}`} id={id} from={from} title={title} />}</Administrators>;
}

function Loading({ id, from, title }: { id: string; from: string | undefined; title: string }) {
  const found = useLoad<Loaded>(`role ${id} ${from}`, async (signal) => {
    const [role, source, pipelines, users] = await Promise.all([
      id === NEW ? undefined : api.role(id, signal),
      from === undefined ? undefined : api.role(from, signal),
      api.pipelines(signal),
      api.everybody(signal),
    ]);
    return { role, from: source, pipelines, users: users.items };
  });
  const loaded = found.data.value;
  if (loaded === undefined) {
    return (
      <Page title={title}>
        {found.problem.value === undefined ? <Skeleton /> : <ProblemNote problem={found.problem.value} retry={found.reload} />}
      </Page>
    );
  }
  const key = from === undefined ? id : `${id} ${from}`;
  const draft = draftOf(key, loaded, people().roles.copyOf);
  return (
    <Editor
      key={key}
      id={id}
      draft={draft}
      loaded={loaded}
      reload={found.reload}
      begin={() => {
        forget(key);
        found.reload();
      }}
    />
  );
}

interface EditorProps {
  id: string;
  draft: Draft;
  loaded: Loaded;
  reload: () => void;
  begin: () => void;
}

function Editor({ id, draft, loaded, reload, begin }: EditorProps) {
  const words = people().roles;
  const { role, pipelines, users } = loaded;
  const problem = useSignal<Problem | undefined>(undefined);
  const busy = useSignal(false);
  const theirs = useSignal<api.Role | undefined>(undefined);
  const deleting = useSignal(false);
  const holders = role?._embedded?.users ?? [];
  const body = bodyOf(draft);
  const base = draft.base.value;
  const path = role === undefined ? '/api/v4/roles' : `/api/v4/roles/${role.id}`;
  const save = async (): Promise<void> => {
    const saved = { name: draft.name.peek(), rights: draft.edit.rights.peek() };
    busy.value = true;
    problem.value = undefined;
    try {
      if (role === undefined) {
        const made = await ask<{ _embedded: { roles: api.Role[] } }>(path, { method: 'POST', body });
        const name = draft.name.peek();
        begin();
        tell(words.added(name), `/roles/${made._embedded.roles[0]?.id ?? ''}`);
        return;
      }
      const now = await api.role(id);
      const base = draft.base.peek();
      if (base !== undefined && Object.keys(patch(base, content(now))).length > 0) {
        theirs.value = now;
      } else {
        await ask<api.Role>(path, { method: 'PATCH', body });
        tell(words.saved(holders.length));
        // What is changed from now on, also before the role is read again, is a change of what was saved.
        draft.base.value = saved;
        reload();
      }
    } catch (failure) {
      problem.value = asProblem(failure);
    }
    busy.value = false;
  };
  const isReady = role === undefined || isChanged(draft);
  const wrong = (at: string): string | undefined => problem.value?.about(at);
  return (
    <Page
      title={role === undefined ? words.add : words.title1(role.name)}
      actions={
        role !== undefined && (
          <>
            <span class="soft">{words.held(holders.length)}</span>
            <Button icon="copy" onClick={() => open(`/roles/${NEW}?from=${role.id}`)}>
              {words.duplicate}
            </Button>
            <Button look="danger" icon="trash" onClick={() => (deleting.value = true)}>
              {words.delete}
            </Button>
          </>
        )
      }
    >
      <Told />
      <form
        class="role-editor"
        onKeyDown={draft.edit.onKeyDown}
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady && !busy.value) void save();
        }}
      >
        <div class="name">
          <Field label={words.name} hint={words.nameHint} error={wrong('name')}>
            {(input) => (
              <input
                {...input}
                autocomplete="off"
                maxLength={255}
                value={draft.name.value}
                onInput={(event) => (draft.name.value = event.currentTarget.value)}
              />
            )}
          </Field>
        </div>
        <RightsEditor edit={draft.edit} wrong={wrong} />
        <Stages edit={draft.edit} pipelines={pipelines} />
        {role !== undefined && base !== undefined && isChanged(draft) && (
          <Effect before={base.rights} after={draft.edit.rights.value} pipelines={pipelines} holders={holders} users={users} />
        )}
        <Preview method={role === undefined ? 'POST' : 'PATCH'} path={path} body={isReady ? body : undefined} />
        {theirs.value !== undefined && base !== undefined && (
          <Differences
            mine={draft}
            base={base}
            theirs={theirs.value}
            pipelines={pipelines}
            onTheirs={begin}
            onMine={(now) => {
              draft.base.value = content(now);
              theirs.value = undefined;
            }}
          />
        )}
        {problem.value !== undefined && <ProblemNote problem={problem.value} />}
        <div class="actions">
          {!isReady && <span class="soft">{words.unchanged}</span>}
          {role !== undefined ? (
            <Button disabled={!isReady} onClick={begin}>
              {words.discard}
            </Button>
          ) : (
            <Button
              onClick={() => {
                begin();
                open('/roles');
              }}
            >
              {shell().cancel}
            </Button>
          )}
          <Button type="submit" look="primary" busy={busy.value} disabled={!isReady}>
            {role === undefined ? words.create : words.save(holders.length)}
          </Button>
        </div>
        {role !== undefined && (
          <p class="soft">
            {words.tryIt} <a href={`/rights${holders[0] === undefined ? '' : `?user=${holders[0]}`}`}>{shell().nav.rights}</a>
          </p>
        )}
      </form>
      {role !== undefined && <Holders role={role} users={users} reload={reload} />}
      {deleting.value && role !== undefined && (
        <DeleteRole
          role={role}
          users={users}
          onClose={() => (deleting.value = false)}
          onDone={() => {
            forget(id);
            tell(words.deleted(role.name), '/roles');
          }}
        />
      )}
    </Page>
  );
}
