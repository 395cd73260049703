import { templates } from '../../../words/templates';
import type { ListMessage } from '../types';
import './list.css';

/** The list that the customer opens below a message. Here all of it is shown. */
export function MessageList({ list }: { list: ListMessage }) {
  return (
    <div class="message-list" role="group" aria-label={templates().listOf(list.button)}>
      {list.sections.map(({ title, rows }, at) => (
        <section key={at}>
          <p class="soft" dir="auto">
            {title}
          </p>
          <ul>
            {rows.map((row, place) => (
              <li key={place} dir="auto">
                {row.title}
                {row.description !== null && <span class="soft"> · {row.description}</span>}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {list.footer !== null && (
        <p class="soft" dir="auto">
          {list.footer}
        </p>
      )}
    </div>
  );
}
