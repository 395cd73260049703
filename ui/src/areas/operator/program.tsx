import { moment } from '../../words/language';
import { operator } from '../../words/operator';
import './listed.css';

/** When a request came, as the service notes it. */
export interface Caller {
  at: number;
  user_agent: string | null;
  address: string;
}

/** A moment, for people and for programs. */
export function Moment({ at }: { at: number }) {
  return <time dateTime={new Date(at * 1000).toISOString()}>{moment(at)}</time>;
}

/** What a program calls itself. */
export function Program({ agent }: { agent: string | null }) {
  if (agent === null) return <span class="soft">{operator().noAgent}</span>;
  return <bdi>{agent}</bdi>;
}

/** The request of a program: when, what it calls itself, and from where. */
export function CallerNote({ caller }: { caller: Caller }) {
  return (
    <div class="caller">
      <Moment at={caller.at} />
      <Program agent={caller.user_agent} />
      <code>{caller.address}</code>
    </div>
  );
}
