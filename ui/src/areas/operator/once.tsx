import type { ComponentChildren } from 'preact';
import { Button } from '../../parts/button';
import { Dialog } from '../../parts/dialog';
import { Fact, Facts } from './facts';

interface Props {
  title: string;
  /** That there is no other moment to see it. */
  text: string;
  /** What it is, and the text itself. */
  name: string;
  secret: string | undefined;
  /** What the reader confirms. */
  kept: string;
  onClose: () => void;
  /** What belongs to it. */
  children?: ComponentChildren;
}

/** A secret that was just made. It is nowhere else: neither in a list nor in the browser's storage. */
export function Once({ title, text, name, secret, kept, onClose, children }: Props) {
  return (
    <Dialog title={title} onClose={onClose} wide>
      <p class="note warn">{text}</p>
      <Facts>
        <Fact name={name} copy={secret}>
          <code>{secret}</code>
        </Fact>
      </Facts>
      {children}
      <div class="actions">
        <Button look="primary" onClick={onClose}>
          {kept}
        </Button>
      </div>
    </Dialog>
  );
}
