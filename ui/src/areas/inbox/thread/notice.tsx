import type { ComponentChildren } from 'preact';
import './notice.css';

/** What others have written, by whom if that is to be told. */
export interface Quote {
  by?: string;
  text: string;
}

interface Props {
  name: string;
  title: ComponentChildren;
  quotes?: readonly Quote[];
  /** The ways to go on. */
  children: ComponentChildren;
}

/** What others have written meanwhile, read aloud at once, with the ways to go on. */
export function Notice({ name, title, quotes = [], children }: Props) {
  return (
    <div class={`notice ${name}`} role="alert">
      <p>{title}</p>
      {quotes.length > 0 && (
        <ul>
          {quotes.map(({ by, text }, at) => (
            <li key={at}>
              {by !== undefined && <span class="soft">{by}</span>}
              <q dir="auto">{text}</q>
            </li>
          ))}
        </ul>
      )}
      <p class="ways">{children}</p>
    </div>
  );
}
