import type { Problem } from '../api/client';
import { lasting, shell } from '../words/shell';
import { Button } from './button';
import { Icon } from './icon';
import './problem.css';

function heading(problem: Problem): string {
  const words = shell().problem;
  const known: Record<number, string> = {
    [-1]: words.ours,
    0: words.unreachable,
    400: words[400],
    401: words[401],
    403: words[403],
    404: words[404],
    409: words[409],
    413: words[413],
    429: words[429],
    503: words[503],
  };
  return known[problem.status] ?? words.other(problem.status);
}

/** What the service said was wrong: in short in the reader's language, in full in its own words, with every path. */
export function ProblemNote({ problem, retry }: { problem: Problem; retry?: (() => void) | undefined }) {
  const words = shell().problem;
  const wrong = problem.items.flatMap((item) =>
    item.errors.map((error) => ({ ...error, item: problem.items.length > 1 ? item.request_id : '' })),
  );
  return (
    <div class="problem" role="alert">
      <Icon name="warning" />
      <div>
        <strong>{heading(problem)}</strong>
        {problem.status === 0 ? <p>{words.unreachableText}</p> : <p lang="en">{problem.detail}</p>}
        {problem.status === 403 && <p>{words.noRight}</p>}
        {problem.retryAfter !== undefined && <p>{words.wait(lasting(problem.retryAfter))}</p>}
        {wrong.length > 0 && (
          <ul>
            {wrong.map((error, at) => (
              <li key={at}>
                {(error.item !== '' || error.path !== '') && <code>{[error.item, error.path].filter(Boolean).join(': ')}</code>}{' '}
                <span lang="en">{error.detail}</span>
              </li>
            ))}
          </ul>
        )}
        {retry !== undefined && (
          <Button icon="retry" onClick={retry}>
            {words.retry}
          </Button>
        )}
      </div>
    </div>
  );
}
