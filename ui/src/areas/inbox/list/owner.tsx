import { isNobody, useBook, userName } from '../../../api/book';
import { Initials } from '../../../parts/initials';
import { team } from '../../../words/team';
import type { Conversation } from '../types';
import './owner.css';
import { owner } from './store';

/** The initials of the responsible user, so that colleagues see in the list who answers. */
function Owner({ conversation }: { conversation: Conversation }) {
  useBook();
  const id = conversation.lead?.responsible_user_id;
  if (isNobody(id)) return null;
  const name = userName(id);
  return (
    <span class="owner" title={name}>
      <Initials name={name} />
      <span class="unseen">{team().responsible.label(name)}</span>
    </span>
  );
}

owner.value = (conversation) => <Owner conversation={conversation} />;
