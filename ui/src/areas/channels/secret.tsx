import { channels } from '../../words/channels';
import { Once } from '../operator/once';
import type { Account, Channel } from '../operator/types';
import { Environment } from './environment';

/** The secret of a channel that was just made, with all that an integration has to know. */
export function Secret({ channel, accounts, onClose }: { channel: Channel; accounts: readonly Account[]; onClose: () => void }) {
  const words = channels().secret;
  return (
    <Once title={words.made(channel.name)} text={words.once} name={words.secret} secret={channel.secret} kept={words.kept} onClose={onClose}>
      <Environment channel={channel} accounts={accounts} />
    </Once>
  );
}
