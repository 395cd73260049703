// What was just done, told on the page where one is then, until another is opened.

import { signal } from '@preact/signals';
import { open, visits } from '../../router';

const last = signal<{ text: string; visit: number } | undefined>(undefined);

/** Tells it here, or on the page that this opens. */
export function tell(text: string, address?: string): void {
  last.value = { text, visit: visits.peek() + (address === undefined ? 0 : 1) };
  if (address !== undefined) open(address, 'replace');
}

export function Told() {
  const said = last.value;
  return (
    <div class="told-here" role="status">
      {said !== undefined && said.visit === visits.value && <p class="notice">{said.text}</p>}
    </div>
  );
}
