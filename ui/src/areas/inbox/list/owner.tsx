import { isNobody, useBook, userName } from '../../../api/book';
import { Initials } from '../../../parts/initials';
import { Kind } from '../../../parts/kind';
import { team } from '../../../words/team';
import { Blocked } from '../blocked';
import type { Conversation } from '../types';
import './owner.css';
import { owner, picture } from './store';

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

owner.value = (conversation) => (
  <>
    <Blocked conversation={conversation} />
    <Owner conversation={conversation} />
  </>
);
picture.value = (kind) => <Kind kind={kind} />;
