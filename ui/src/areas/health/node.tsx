import { Badge } from '../../parts/badge';
import { health } from '../../words/health';
import { number } from '../../words/language';
import { lasting } from '../../words/shell';
import { Fact, Facts, Part } from '../operator/facts';

/** The node of a shared log, as `/readyz` describes it. */
export interface Node {
  name: string;
  role: 'owner' | 'standby';
  owner?: string;
  owner_url?: string;
  epoch: number;
  /** The newest entry that the node has. */
  entry: number;
  /** Absent while the node does not know how far it is behind. */
  behind_entries?: number;
  behind_seconds?: number;
  trouble?: string;
}

/** What the node does for the shared log, and what it lacks. `lag`: whether the numbers of that count now. */
export function SharedLog({ node, lag }: { node: Node; lag: boolean }) {
  const words = health().sharedLog;
  return (
    <Part title={words.title}>
      <Facts>
        <Fact name={words.role}>{words.roles[node.role]}</Fact>
        <Fact name={words.node}>{node.name}</Fact>
        <Fact name={words.owner}>{node.owner ?? '—'}</Fact>
        {/* Plain text: an operator may have no way to that address. */}
        {node.owner_url !== undefined && <Fact name={words.ownerUrl}>{node.owner_url}</Fact>}
        <Fact name={words.epoch}>{number(node.epoch)}</Fact>
        <Fact name={words.entry}>{number(node.entry)}</Fact>
        {lag && <Lag node={node} />}
        {node.trouble !== undefined && (
          <Fact name={words.trouble}>
            <Badge tone="bad" icon="warning">
              {node.trouble}
            </Badge>
          </Fact>
        )}
      </Facts>
    </Part>
  );
}

/** The node knows of the entries that it lacks; in the last seconds there may be more. */
function Lag({ node }: { node: Node }) {
  const words = health().sharedLog;
  const { behind_entries: entries, behind_seconds: seconds } = node;
  if (entries === undefined || seconds === undefined) return null;
  return (
    <>
      {(entries > 0 || seconds === 0) && <Fact name={words.lag}>{entries > 0 ? words.lacks(entries) : words.current}</Fact>}
      {seconds > 0 && <Fact name={words.mayLack}>{lasting(seconds)}</Fact>}
    </>
  );
}
