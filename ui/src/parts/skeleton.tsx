import { shell } from '../words/shell';
import './skeleton.css';

/** What stands where rows will be. Nothing is seen of it for the first moment, which is mostly enough. */
export function Skeleton({ rows = 6 }: { rows?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">{shell().loading}</span>
      {Array.from({ length: rows }, (_, at) => (
        <div key={at} />
      ))}
    </div>
  );
}
