import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button';
import { Empty } from '../../parts/empty';
import { OperatorGate } from '../../parts/operator-gate';
import { Page } from '../../parts/page';
import { requests } from '../../words/requests';
import { accounts, useChannels } from '../operator/channels';
import { useLoad } from '../../parts/load';
import { Pause } from '../operator/pause';
import { ExplainId } from './explain';
import { List } from './list';
import { Request } from './request';

export function RequestsPage({ id }: { id?: string | undefined }) {
  return <OperatorGate title={requests().title}>{() => <Requests id={id} />}</OperatorGate>;
}

/** What programs requested lately, and the request that the address names. */
function Requests({ id }: { id: string | undefined }) {
  const words = requests();
  const explaining = useSignal(false);
  const known = { channels: useChannels(), accounts: useLoad('accounts', accounts).data.value ?? [] };
  const actions = (
    <>
      <Button icon="search" onClick={() => (explaining.value = true)}>
        {words.ids.title}
      </Button>
      <Pause />
    </>
  );
  return (
    <Page title={words.title} actions={actions} fills>
      <List selected={id} known={known}>
        {id === undefined ? <Empty title={words.choose} /> : <Request key={id} id={id} known={known} />}
      </List>
      {explaining.value && <ExplainId known={known} onClose={() => (explaining.value = false)} />}
    </Page>
  );
}
