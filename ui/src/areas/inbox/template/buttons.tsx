import { Outside } from '../../../parts/outside';
import { templates } from '../../../words/templates';
import type { TemplateButton } from '../types';
import './buttons.css';

/** The buttons that the customer sees below a message. Here they are labels; one with an address is a link. */
export function MessageButtons({ buttons }: { buttons: readonly TemplateButton[] }) {
  if (buttons.length === 0) return null;
  return (
    <ul class="message-buttons" aria-label={templates().buttons}>
      {buttons.map(({ text, url }, at) => (
        <li key={at} dir="auto">
          {url === undefined ? text : <Outside to={url}>{text}</Outside>}
        </li>
      ))}
    </ul>
  );
}
