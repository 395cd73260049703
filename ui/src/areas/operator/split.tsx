import type { ComponentChildren } from 'preact';
import { Button } from '../../parts/button';
import { open } from '../../router';
import { operator } from '../../words/operator';
import './split.css';

interface Props {
  label: string;
  /** Above the rows. */
  narrow: ComponentChildren;
  rows: ComponentChildren;
  /** Whether something is chosen: a narrow screen shows it in place of the rows. */
  isChosen: boolean;
  /** The address of the rows alone. */
  home: string;
  children: ComponentChildren;
}

/** Rows, and beside them the one that is looked at. */
export function Split({ label, narrow, rows, isChosen, home, children }: Props) {
  return (
    <div class={isChosen ? 'split chosen' : 'split'}>
      <section class="split-list" aria-label={label}>
        <div class="narrow">{narrow}</div>
        {rows}
      </section>
      <section class="split-detail" aria-label={operator().chosen}>
        {isChosen && (
          <div class="split-back">
            <Button look="quiet" icon="back" onClick={() => open(home + location.search)}>
              {operator().back}
            </Button>
          </div>
        )}
        {children}
      </section>
    </div>
  );
}
