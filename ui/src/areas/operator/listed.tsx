import type { ComponentChildren } from 'preact';
import './listed.css';

interface Props {
  /** What tests and styles call it. */
  name: string;
  columns: readonly string[];
  /** What the buttons of the last column do; there is none without. */
  action?: string;
  /** The rows; each cell carries its heading as `data-label`. */
  children: ComponentChildren;
}

/** A table that scrolls where it is too wide, and whose rows become cards on a telephone. */
export function Listed({ name, columns, action, children }: Props) {
  return (
    <div class="scrolls" tabIndex={0}>
      <table class={`listed stacks ${name}`}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column} scope="col">
                {column}
              </th>
            ))}
            {action !== undefined && (
              <th scope="col">
                <span class="unseen">{action}</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
