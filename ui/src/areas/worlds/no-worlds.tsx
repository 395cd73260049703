import { operatorToken } from '../../api/operator';
import { command } from '../../api/session';
import { Command } from '../../parts/copy';
import { Empty } from '../../parts/empty';
import { worlds } from '../../words/worlds';
import { curl } from '../operator/curl';
import { WORLDS } from './address';

/** The request that makes a world, as a command. */
const request = (token: string): string =>
  curl({
    method: 'POST',
    url: location.origin + WORLDS,
    headers: [
      { name: 'Authorization', value: `Bearer ${token}` },
      { name: 'Content-Type', value: 'application/json' },
    ],
    body: '{"name":"first"}',
  });

/** How a world is made: by a request of a test to this service, or to one that a test starts for itself. */
export function NoWorlds() {
  const words = worlds();
  return (
    <Empty title={words.empty}>
      <p>{words.emptyText}</p>
      <Command text={request(operatorToken.value ?? '')} shown={request('••••••••')} />
      <p>{words.emptyStart}</p>
      <Command text={command('dev --ephemeral')} />
    </Empty>
  );
}
