import { useSignal } from '@preact/signals';
import { shell } from '../words/shell';
import { Button } from './button';
import './copy.css';

/** Brings a text to the clipboard; where pages may not use it (plain HTTP on a network), by selecting it. */
async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'off-screen';
    const host = document.querySelector('dialog[open]') ?? document.body;
    host.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
}

/** A button that copies a text. `of` says what, for people who do not see what it stands beside. */
export function Copy({ text, of }: { text: string; of: string }) {
  const done = useSignal(false);
  const words = shell();
  return (
    <Button
      look="quiet"
      icon={done.value ? 'check' : 'copy'}
      label={done.value ? words.copied : `${words.copy}: ${of}`}
      onClick={(event) => {
        const button = event.currentTarget as HTMLElement;
        void copy(text).then(() => {
          button.focus();
          done.value = true;
          setTimeout(() => {
            done.value = false;
          }, 1500);
        });
      }}
    />
  );
}

interface CommandProps {
  text: string;
  /** The same with its secrets hidden. */
  shown?: string;
  /** What it is, for people who do not see what it stands beside. */
  of?: string;
}

/** A command to run, or another text to take along, with a button that copies it. */
export function Command({ text, shown = text, of = shell().command }: CommandProps) {
  return (
    <div class="command">
      <pre tabIndex={0}>
        <code>{shown}</code>
      </pre>
      <Copy text={text} of={of} />
    </div>
  );
}
