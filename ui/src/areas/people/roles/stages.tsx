import { useSignal } from '@preact/signals';
import { Button } from '../../../parts/button';
import { Icon } from '../../../parts/icon';
import { people } from '../../../words/people';
import type { Edit } from '../edit';
import { saidRight } from '../letter';
import { type Cell, Matrix } from '../matrix';
import { setRight, why } from '../rights-editor';
import type { Action, Letter, Letters, StageRights } from '../rights';
import type { Pipeline, Stage } from '../types';

const COLUMNS = ['view', 'edit', 'delete', 'export'] as const satisfies readonly Action[];

/** «Sales ▸ Negotiation», by the numbers when nobody knows the names. */
export function stageName(all: readonly Pipeline[], at: { pipeline_id: number; status_id: number }): string {
  const pipeline = all.find((known) => known.id === at.pipeline_id);
  const stage = pipeline?._embedded.statuses.find((known) => known.id === at.status_id);
  return `${pipeline?.name ?? at.pipeline_id} ▸ ${stage?.name ?? at.status_id}`;
}

function isUnsorted(all: readonly Pipeline[], at: StageRights): boolean {
  const stages = all.flatMap((pipeline) => pipeline._embedded.statuses);
  return stages.some((stage) => stage.type === 1 && stage.id === at.status_id && stage.pipeline_id === at.pipeline_id);
}

/** The unsorted stages of an account, without access: what a role says of them when nobody asks for more. */
export function unsortedStages(all: readonly Pipeline[]): StageRights[] {
  return all.flatMap((pipeline) => pipeline._embedded.statuses.filter((stage) => stage.type === 1).map(denied));
}

const denied = (stage: Stage): StageRights => ({
  entity_type: 'leads',
  pipeline_id: stage.pipeline_id,
  status_id: stage.id,
  rights: { view: 'D', edit: 'D', delete: 'D', ...(stage.type === 1 ? {} : { export: 'D' }) },
});

const isSame = (a: StageRights, b: StageRights): boolean => a.pipeline_id === b.pipeline_id && a.status_id === b.status_id;

/** The rights over leads in single stages. */
export function Stages({ edit, pipelines }: { edit: Edit; pipelines: readonly Pipeline[] }) {
  const words = people();
  const wanted = useSignal('');
  const list = edit.rights.value.status_rights ?? [];
  /** The rows as they are when a key is pressed, which may be before they are drawn. */
  const now = (): StageRights[] => edit.rights.peek().status_rights ?? [];
  const put = (next: StageRights[]) => ({ ...edit.rights.peek(), status_rights: next });
  const replace = (at: StageRights, rights: Letters) => put(now().map((it) => (it === at ? { ...at, rights } : it)));
  const cell = (at: StageRights, action: Action): Cell => {
    const [name, letter, unsorted] = [stageName(pipelines, at), at.rights[action], isUnsorted(pipelines, at)];
    if (action === 'export' && unsorted) {
      return { is: 'none', says: `${name}, ${words.actions.export}`, why: words.stages.noExport };
    }
    const letters: (Letter | undefined)[] = action === 'export' ? ['A', 'D', undefined] : ['A', 'D'];
    return {
      is: 'right',
      value: letter,
      says: `${name}, ${saidRight(action, letter)}`,
      options: letters.map((it) => ({ letter: it, why: it === undefined ? undefined : why(at.rights, action, it, true) })),
    };
  };
  const removal = (at: StageRights): Cell => {
    const name = stageName(pipelines, at);
    if (isUnsorted(pipelines, at)) return { is: 'none', says: name, why: words.stages.stays };
    const says = words.stages.remove(name);
    return { is: 'action', says, run: () => edit.put(put(now().filter((it) => !isSame(it, at))), { tone: 'quiet', says: () => says }) };
  };
  const set = (row: number, column: number, letter: Letter | undefined): void => {
    const [at, action] = [now()[row], COLUMNS[column]];
    if (at === undefined || action === undefined) return;
    const name = (): string => stageName(pipelines, at);
    if (action === 'export' && isUnsorted(pipelines, at)) {
      edit.note.value = { tone: 'refused', says: () => `${name()}: ${people().stages.noExport}` };
    } else if (letter === undefined) {
      const { [action]: _gone, ...rights } = at.rights;
      edit.put(replace(at, rights), { tone: 'quiet', says: () => `${name()}, ${saidRight(action, undefined)}` });
    } else {
      setRight(edit, name, at.rights, { action, letter, two: true }, (rights) => replace(at, rights));
    }
  };
  const setRow = (row: number, letter: Letter): void => {
    const at = now()[row];
    if (at === undefined) return;
    if (letter === 'G' || letter === 'M') {
      edit.note.value = { tone: 'refused', says: () => people().matrix.two };
      return;
    }
    const rights = Object.fromEntries(Object.keys(at.rights).map((action) => [action, letter]));
    edit.put(replace(at, rights), { tone: 'quiet', says: () => words.matrix.wholeRow(stageName(pipelines, at), letter) });
  };
  const free = pipelines
    .flatMap((pipeline) => pipeline._embedded.statuses)
    .filter((stage) => !list.some((at) => at.pipeline_id === stage.pipeline_id && at.status_id === stage.id));
  const keyOf = (stage: Stage): string => `${stage.pipeline_id}/${stage.id}`;
  const first = free[0];
  const chosen = free.find((stage) => keyOf(stage) === wanted.value) ?? first;
  return (
    <section aria-labelledby="stage-rights">
      <h2 id="stage-rights">{words.stages.title}</h2>
      <p class="soft">{words.stages.text}</p>
      {list
        .filter((at) => isUnsorted(pipelines, at) && at.rights.view !== 'A')
        .map((at) => (
          <p key={`${at.pipeline_id}/${at.status_id}`} class="newcomers">
            <Icon name="warning" /> <span>{words.stages.newcomers(stageName(pipelines, at))}</span>
          </p>
        ))}
      {list.length > 0 && (
        <Matrix
          label={words.stages.title}
          columns={[...COLUMNS.map((action) => words.actions[action]), words.stages.removal]}
          rows={list.map((at) => ({
            key: `${at.pipeline_id}/${at.status_id}`,
            title: stageName(pipelines, at),
            cells: [...COLUMNS.map((action) => cell(at, action)), removal(at)],
          }))}
          letters={['A', 'D']}
          onSet={set}
          onSetRow={setRow}
        />
      )}
      {chosen !== undefined && (
        <div class="add-stage">
          <select
            aria-label={words.stages.which}
            value={keyOf(chosen)}
            onChange={(event) => (wanted.value = event.currentTarget.value)}
          >
            {free.map((stage) => (
              <option key={keyOf(stage)} value={keyOf(stage)}>
                {stageName(pipelines, { pipeline_id: stage.pipeline_id, status_id: stage.id })}
              </option>
            ))}
          </select>
          <Button
            icon="plus"
            onClick={() => {
              const name = stageName(pipelines, { pipeline_id: chosen.pipeline_id, status_id: chosen.id });
              edit.put(put([...now(), denied(chosen)]), { tone: 'quiet', says: () => `${people().stages.add}: ${name}` });
            }}
          >
            {words.stages.add}
          </Button>
        </div>
      )}
    </section>
  );
}
