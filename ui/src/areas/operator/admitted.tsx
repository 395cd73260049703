import { Badge } from '../../parts/badge';
import { ProblemNote } from '../../parts/problem';
import type { Loaded } from '../../parts/load';
import { number } from '../../words/language';
import { operator } from '../../words/operator';
import { Part } from './facts';
import { Listed } from './listed';

interface AdmittedUser {
  id: number;
  name: string;
  email: string;
  sessions: number;
  tokens: { id: number; name: string }[];
}

/** The first of them. */
export interface AdmittedPage {
  users: AdmittedUser[];
  next: string | null;
}

interface Props {
  loaded: Loaded<AdmittedPage>;
  /** Where the page of a user is; without one, the list has no links. */
  pageOf?: (id: number) => string;
}

/** The active users whom an uninstalled client created or activated: they stay, with their tokens. */
export function AdmittedUsers({ loaded, pageOf }: Props) {
  const words = operator().admitted;
  const page = loaded.data.value;
  if (loaded.problem.value !== undefined) return <ProblemNote problem={loaded.problem.value} retry={loaded.reload} />;
  if (page === undefined || page.users.length === 0) return null;
  return (
    <Part title={words.title}>
      <p class="note">{words.text}</p>
      <Listed name="admitted-users" columns={[words.user, words.sessions, words.tokens]}>
        {page.users.map((user) => (
          <tr key={user.id}>
            <th scope="row">
              <div class="caller">
                {pageOf === undefined ? <bdi>{user.name}</bdi> : <a href={pageOf(user.id)}>{user.name}</a>}
                <span class="soft">{user.email}</span>
              </div>
            </th>
            <td data-label={words.sessions}>{number(user.sessions)}</td>
            <td data-label={words.tokens}>
              {user.tokens.length === 0 ? words.none : user.tokens.map((token) => <Badge key={token.id}>{token.name}</Badge>)}
            </td>
          </tr>
        ))}
      </Listed>
      {page.next !== null && <p class="soft">{words.more(page.users.length)}</p>}
    </Part>
  );
}
