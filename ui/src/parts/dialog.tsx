import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef } from 'preact/hooks';
import { shell } from '../words/shell';
import { Button } from './button';
import './dialog.css';

interface Props {
  title: string;
  onClose: () => void;
  children: ComponentChildren;
  wide?: boolean;
}

/** A dialog above the page. It keeps the focus, ends with Esc, and gives the focus back to where it was. */
export function Dialog({ title, onClose, children, wide = false }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const close = useRef(onClose);
  close.current = onClose;
  // Not after the next picture: a key pressed until then would be the page's.
  useLayoutEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    // The first thing to fill in, rather than what closes it.
    const isField = 'input:not([type=hidden], [type=checkbox], [type=radio]), select, textarea';
    shown?.querySelector<HTMLElement>(`.content :is(${isField}):not(:disabled)`)?.focus();
    return () => {
      shown?.close();
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'wide' : undefined}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        close.current();
      }}
      onClick={(event) => {
        // A click beside the dialog lands on its backdrop, which is the element itself.
        if (event.target === dialog.current) close.current();
      }}
    >
      <div class="sheet">
        <header>
          <h2 id={id}>{title}</h2>
          <Button look="quiet" icon="close" label={shell().close} onClick={onClose} />
        </header>
        <div class="content">{children}</div>
      </div>
    </dialog>
  );
}
