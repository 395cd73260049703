import { useSignal } from '@preact/signals';
import { Problem, type Wrong, ask, asProblem } from '../../../api/client';
import { Button } from '../../../parts/button';
import { useLoad } from '../../../parts/load';
import { Page } from '../../../parts/page';
import { ProblemNote } from '../../../parts/problem';
import { open } from '../../../router';
import { people } from '../../../words/people';
import { shell } from '../../../words/shell';
import { Administrators } from '../administrators';
import { tell } from '../told';
import * as api from '../types';
import { Row } from './row';
import { MOST, bodyOf, oneMore, put, rows } from './new';
import './users.css';

export function AddUsersPage() {
  return <Administrators title={people().add.title}>{() => <Add />}</Administrators>;
}

/** What the service said is wrong with a row. */
export function wrongOf(problem: Problem | undefined, key: number): readonly Wrong[] {
  return problem?.items.find((item) => item.request_id === String(key))?.errors ?? [];
}

function Add() {
  const words = people().add;
  const problem = useSignal<Problem | undefined>(undefined);
  const busy = useSignal(false);
  const known = useLoad('add', async (signal) => {
    const [roles, users] = await Promise.all([api.roles(signal), api.everybody(signal)]);
    const groups = new Map(users.items.flatMap((user) => user._embedded?.groups ?? []).map((group) => [group.id, group]));
    return { roles: roles.items, groups: [...groups.values()] };
  });
  const list = rows();
  const add = async (): Promise<void> => {
    busy.value = true;
    problem.value = undefined;
    try {
      await ask<unknown>('/api/v4/users', { method: 'POST', body: list.map(bodyOf) });
      put([]);
      tell(words.added(list.length), '/users');
      return;
    } catch (failure) {
      problem.value = asProblem(failure);
    }
    busy.value = false;
    // Where the first wrong field is, the reader goes on.
    requestAnimationFrame(() => document.querySelector<HTMLElement>('.new-user [aria-invalid]')?.focus());
  };
  // What no row shows beside its fields stands in the note.
  const rest = problem.value?.items.filter((item) => !list.some((row) => String(row.key) === item.request_id)) ?? [];
  const placed = problem.value?.items.some((item) => list.some((row) => String(row.key) === item.request_id)) ?? false;
  return (
    <Page title={words.title}>
      <p class="soft">{words.text(MOST)}</p>
      {known.problem.value !== undefined && <ProblemNote problem={known.problem.value} retry={known.reload} />}
      <form
        class="new-users"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (!busy.value) void add();
        }}
      >
        {list.map((row, at) => (
          <Row
            key={row.key}
            row={row}
            at={at}
            roles={known.data.value?.roles ?? []}
            groups={known.data.value?.groups ?? []}
            wrong={wrongOf(problem.value, row.key)}
            onChange={(change) => put(list.map((it) => (it === row ? { ...row, ...change } : it)))}
            onRemove={list.length === 1 ? undefined : () => put(list.filter((it) => it !== row))}
          />
        ))}
        <div>
          <Button icon="plus" disabled={list.length >= MOST} onClick={() => put([...list, oneMore()])}>
            {words.another}
          </Button>{' '}
          <span class="soft">{words.room(list.length, MOST)}</span>
        </div>
        {problem.value !== undefined && (
          <ProblemNote
            problem={
              placed
                ? new Problem(problem.value.status, words.refused(problem.value.items.length), rest)
                : problem.value
            }
          />
        )}
        <div class="actions">
          <Button
            onClick={() => {
              put([]);
              open('/users');
            }}
          >
            {shell().cancel}
          </Button>
          <Button type="submit" look="primary" busy={busy.value}>
            {words.submit(list.length)}
          </Button>
        </div>
      </form>
    </Page>
  );
}
