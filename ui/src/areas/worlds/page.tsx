import { useSignal } from '@preact/signals';
import { askAsOperator } from '../../api/operator';
import { hasWorlds } from '../../api/session';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { OperatorGate } from '../../parts/operator-gate';
import { Page } from '../../parts/page';
import { open } from '../../router';
import { worlds as dictionary } from '../../words/worlds';
import { Pause } from '../operator/pause';
import { usePolled } from '../operator/polled';
import { WORLDS, pageOf } from './address';
import { List } from './list';
import { NewWorld } from './new-world';
import type { World } from './types';
import { WorldView } from './world';

/** How often the worlds are looked at, in milliseconds: tests make and end them all the time. */
const EVERY = 1_000;

export function WorldsPage({ id }: { id?: string | undefined }) {
  const words = dictionary();
  if (hasWorlds.value) return <OperatorGate title={words.title}>{() => <Worlds id={id} />}</OperatorGate>;
  return (
    <Page title={words.title}>
      <Empty title={words.without} command="dev --ephemeral">
        <p>{words.withoutText}</p>
      </Empty>
    </Page>
  );
}

const newestFirst = new Intl.Collator('en', { numeric: true });

async function worlds(signal: AbortSignal): Promise<World[]> {
  const answer = await askAsOperator<{ worlds: World[] }>(WORLDS, { signal });
  return answer.worlds.sort((one, other) => newestFirst.compare(other.id, one.id));
}

/** All worlds, and the one that the address names. */
function Worlds({ id }: { id: string | undefined }) {
  const words = dictionary();
  const loaded = usePolled('worlds', EVERY, worlds);
  const creating = useSignal(false);
  const create = async (fields: object): Promise<void> => {
    const made = await askAsOperator<World>(WORLDS, { method: 'POST', body: fields });
    creating.value = false;
    loaded.reload();
    open(pageOf(made.id));
  };
  const chosen = loaded.data.value?.find((world) => world.id === id);
  const actions = (
    <>
      <Pause />
      <Button look="primary" icon="plus" onClick={() => (creating.value = true)}>
        {words.create}
      </Button>
    </>
  );
  return (
    <Page title={words.title} about={chosen?.name ?? id} actions={actions} fills>
      <List loaded={loaded} selected={id}>
        {id === undefined ? (
          <Empty title={words.choose}>
            <p class="soft">{words.chooseText}</p>
          </Empty>
        ) : (
          <WorldView key={id} id={id} world={chosen} onChange={loaded.reload} />
        )}
      </List>
      {creating.value && <NewWorld onCreate={create} onClose={() => (creating.value = false)} />}
    </Page>
  );
}
