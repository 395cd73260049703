import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { channels } from '../../words/channels';
import { Fact, Facts } from '../operator/facts';
import type { Account, Channel } from '../operator/types';
import { Environment } from './environment';

/** A secret that was just made. It is nowhere else: neither in the list nor in the browser's storage. */
export function Secret({ channel, accounts, onClose }: { channel: Channel; accounts: readonly Account[]; onClose: () => void }) {
  const words = channels().secret;
  return (
    <Dialog title={words.made(channel.name)} onClose={onClose} wide>
      <p class="note warn">{words.once}</p>
      <Facts>
        <Fact name={words.secret} copy={channel.secret}>
          <code>{channel.secret}</code>
        </Fact>
      </Facts>
      <Environment channel={channel} accounts={accounts} />
      <div class="actions">
        <Button look="primary" onClick={onClose}>
          {words.kept}
        </Button>
      </div>
    </Dialog>
  );
}
