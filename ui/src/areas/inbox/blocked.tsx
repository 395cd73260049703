import { Badge } from '../../parts/badge';
import { Icon } from '../../parts/icon';
import { team } from '../../words/team';
import './blocked.css';
import type { Conversation } from './types';

/** The tag, in any letter case, by which integrations mark a customer who has blocked the channel. */
const TAG = 'blocked';

/** Returns whether the customer has blocked the channel, as far as the integration says so. */
export function isBlocked({ lead }: Conversation): boolean {
  return lead?.tags.some(({ name }) => name.toLowerCase() === TAG) === true;
}

/** The mark of a conversation whose customer has blocked the channel. */
export function Blocked({ conversation }: { conversation: Conversation }) {
  if (!isBlocked(conversation)) return null;
  const words = team().blocked;
  return (
    <span class="blocked" title={words.title}>
      <Badge icon="stopped">{words.mark}</Badge>
    </span>
  );
}

/** Says above a reply that it will not arrive. It can be sent nevertheless: the mark may be older than what the customer did. */
export function BlockedNote({ conversation }: { conversation: Conversation | undefined }) {
  if (conversation === undefined || !isBlocked(conversation)) return null;
  return (
    <p class="blocked-note" role="status">
      <Icon name="stopped" /> {team().blocked.hint}
    </p>
  );
}
