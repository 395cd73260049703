import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { visits } from '../router';
import { nameWindow } from '../title';
import { shell } from '../words/shell';
import './page.css';

interface Props {
  title: string;
  /** What of the page is shown, for the title of the window. */
  about?: string | undefined;
  /** Beside the heading. */
  actions?: ComponentChildren;
  children: ComponentChildren;
  /** The content scrolls by itself, in columns. */
  fills?: boolean;
}

/** A page: its heading, which gets the focus when the page is opened, and its content. */
export function Page({ title, about, actions, children, fills = false }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    nameWindow([about, title, shell().product]);
  }, [about, title]);
  useEffect(() => {
    // The first page keeps the focus where the browser puts it; later ones say where the reader is now. Within a page the
    // focus stays where somebody works.
    if (visits.peek() > 0) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <div class={fills ? 'page fills' : 'page'}>
      <header class="page-head">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions !== undefined && <div class="page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  );
}
