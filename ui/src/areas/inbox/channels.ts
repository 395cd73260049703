// The channels of the account, with the pages of their integrations for administrators.

import { ask } from '../../api/client';
import type { ChannelKind } from '../../parts/kind';

export interface Channel {
  id: string;
  title: string;
  kind: ChannelKind;
  /** Null without one, and for users who are no administrators. */
  page: string | null;
}

const PAGE = 250;

export async function readChannels(signal: AbortSignal): Promise<readonly Channel[]> {
  const channels: Channel[] = [];
  let cursor: string | undefined;
  do {
    const page: { channels: readonly Channel[]; next: string | null } = await ask('/inbox/v1/channels', { query: { limit: PAGE, cursor }, signal });
    channels.push(...page.channels);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return channels;
}
