import { Command } from '../../parts/copy';
import { channels } from '../../words/channels';
import { Part } from '../operator/facts';
import type { Account, Channel } from '../operator/types';

/** What an integration has to know of a channel, as lines of an `.env` file. */
export function environment(channel: Channel, accounts: readonly Account[]): string {
  const open = accounts.filter(({ id }) => channel.accounts.includes('*') || channel.accounts.includes(id));
  const scopes = open.map(({ id, name }) => {
    // A name is data: it stays on the line of its comment.
    const label = name.replaceAll(/[\r\n\u2028\u2029]/g, ' ');
    const comment = open.length > 1 ? '# ' : '';
    return `# ${label}\n${comment}SWITCHBOARD_ACCOUNT_ID=${id}\n${comment}SWITCHBOARD_SCOPE_ID=${channel.id}_${id}`;
  });
  return [
    `SWITCHBOARD_URL=${location.origin}`,
    `SWITCHBOARD_CHANNEL_ID=${channel.id}`,
    `SWITCHBOARD_CHANNEL_SECRET=${channel.secret ?? ''}`,
    ...scopes,
  ].join('\n');
}

export function Environment({ channel, accounts }: { channel: Channel; accounts: readonly Account[] }) {
  const words = channels().environment;
  return (
    <Part title={words.title}>
      <p class="soft">{channel.secret === undefined ? words.without : words.text}</p>
      <Command text={environment(channel, accounts)} />
    </Part>
  );
}
