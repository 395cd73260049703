import type { ComponentChildren } from 'preact';
import { Copy } from '../../parts/copy';
import './facts.css';

/** What is known of something: names and values. A value that is undefined is left out. */
export function Facts({ children }: { children: ComponentChildren }) {
  return <dl class="facts">{children}</dl>;
}

export function Fact({ name, children, copy }: { name: string; children: ComponentChildren; copy?: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span>{children}</span>
        {copy !== undefined && <Copy text={copy} of={name} />}
      </dd>
    </div>
  );
}

/** A part of a page, with a heading of its own. */
export function Part({ title, actions, children }: { title: string; actions?: ComponentChildren; children: ComponentChildren }) {
  return (
    <section class="part" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {actions}
      </header>
      {children}
    </section>
  );
}
