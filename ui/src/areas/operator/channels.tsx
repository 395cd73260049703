import { useLoad } from '../../parts/load';
import { listAsOperator } from '../../api/operator';
import { operator } from '../../words/operator';
import type { Account, Channel } from './types';

export function channels(signal?: AbortSignal): Promise<Channel[]> {
  return listAsOperator('/admin/v1/channels', 'channels', signal);
}

export function accounts(signal: AbortSignal): Promise<Account[]> {
  return listAsOperator('/admin/v1/accounts', 'accounts', signal);
}

/** All channels; none until they are known. */
export function useChannels(): readonly Channel[] {
  return useLoad('channels', channels).data.value ?? [];
}

/** One channel, or all of them. */
export function ChannelChoice({ all, value, onChoose }: { all: readonly Channel[]; value: string; onChoose: (id: string) => void }) {
  const words = operator();
  return (
    <select aria-label={words.channel} value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      <option value="">{words.allChannels}</option>
      {all.map((channel) => (
        <option key={channel.id} value={channel.id}>
          {channel.name}
        </option>
      ))}
    </select>
  );
}

/** The name of a channel, or its id. */
export function nameOf(all: readonly Channel[], id: string): string {
  return all.find((channel) => channel.id === id)?.name ?? id;
}
