import { Button } from '../../../parts/button';
import { Empty } from '../../../parts/empty';
import { useLoad } from '../../../parts/load';
import { Page } from '../../../parts/page';
import { ProblemNote } from '../../../parts/problem';
import { Skeleton } from '../../../parts/skeleton';
import { open } from '../../../router';
import { people } from '../../../words/people';
import { shell } from '../../../words/shell';
import { Administrators } from '../administrators';
import { Short } from '../letter';
import { Told } from '../told';
import * as api from '../types';
import { ENTITIES } from '../rights';

export function RolesPage() {
  return <Administrators title={people().roles.title}>{() => <Roles />}</Administrators>;
}

function Roles() {
  const words = people().roles;
  const found = useLoad('roles', api.roles);
  const all = found.data.value;
  return (
    <Page
      title={words.title}
      actions={
        <Button look="primary" icon="plus" onClick={() => open('/roles/new')}>
          {words.add}
        </Button>
      }
    >
      <Told />
      {found.problem.value !== undefined && <ProblemNote problem={found.problem.value} retry={found.reload} />}
      {all === undefined && found.problem.value === undefined && <Skeleton />}
      {all?.items.length === 0 && (
        <Empty title={words.empty}>
          <p>{words.emptyText}</p>
        </Empty>
      )}
      {all !== undefined && all.items.length > 0 && (
        <>
          <p class="soft">{words.order}</p>
          <div class="scrolls card" tabIndex={0} role="region" aria-label={words.title}>
            <table class="roles">
              <thead>
                <tr>
                  <th scope="col">{words.name}</th>
                  <th scope="col">{words.holders}</th>
                  {ENTITIES.map((entity) => (
                    <th key={entity} scope="col">
                      {people().things[entity]}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {all.items.map((role) => (
                  <tr key={role.id}>
                    <th scope="row">
                      <a href={`/roles/${role.id}`}>{role.name}</a>
                    </th>
                    <td>{words.count(role._embedded?.users.length ?? 0)}</td>
                    {ENTITIES.map((entity) => (
                      <td key={entity}>
                        <Short row={role.rights[entity]} />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
          {all.total > all.items.length && <p class="soft">{people().users.loaded(all.items.length, all.total)}</p>}
        </>
      )}
      {found.loading.value && all !== undefined && <span class="unseen">{shell().loading}</span>}
    </Page>
  );
}
