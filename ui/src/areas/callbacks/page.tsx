import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { OperatorGate } from '../../parts/operator-gate';
import { Page } from '../../parts/page';
import { callbacks } from '../../words/callbacks';
import { useChannels } from '../operator/channels';
import { Pause } from '../operator/pause';
import { Callback } from './callback';
import { List } from './list';
import { Replays } from './replays';

export function CallbacksPage({ id }: { id?: string | undefined }) {
  return <OperatorGate title={callbacks().title}>{() => <Callbacks id={id} />}</OperatorGate>;
}

/** What was sent and what is to be sent, and the callback that the address names. */
function Callbacks({ id }: { id: string | undefined }) {
  const words = callbacks();
  const replaying = useSignal(false);
  const channels = useChannels();
  const actions = (
    <>
      <Pause />
      <Button icon="retry" onClick={() => (replaying.value = true)}>
        {words.replays.open}
      </Button>
    </>
  );
  return (
    <Page title={words.title} actions={actions} fills>
      <List selected={id} channels={channels}>
        {id === undefined ? (
          <Empty title={words.choose}>
            <p class="soft">{words.chooseText}</p>
          </Empty>
        ) : (
          <Callback key={id} id={id} channels={channels} />
        )}
      </List>
      {replaying.value && <Replays channels={channels} onClose={() => (replaying.value = false)} />}
    </Page>
  );
}
