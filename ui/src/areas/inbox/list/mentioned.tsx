import { signal } from '@preact/signals';
import { on } from '../../../live/events';
import { Button } from '../../../parts/button';
import { place } from '../../../router';
import { team } from '../../../words/team';
import { narrowing, shown } from './filters';
import { find, load, narrowTo, refresh } from './store';

/** The mentions that came while their conversation was not open, and that the reader has not looked for. */
const fresh = signal(0);

on<{ conversation_id: string }>('mention', ({ conversation_id: id }) => {
  if (!place.peek().path.endsWith(id)) fresh.value += 1;
  if (narrowing.peek().filter === 'mentioned') void load();
  // Before, the list may have left it out by rights.
  else refresh(id, find(id) === undefined);
});

/** The filter of the conversations in which a note mentions the reader. */
export function Mentioned() {
  const words = team().mention;
  const isOn = shown.value.filter === 'mentioned';
  const label = fresh.value > 0 ? words.fresh(fresh.value) : words.filter;
  return (
    <>
      <Button
        look="quiet"
        label={label}
        aria-pressed={isOn}
        onClick={() => {
          fresh.value = 0;
          narrowTo({ filter: isOn ? 'all' : 'mentioned' });
        }}
      >
        @{fresh.value > 0 && fresh.value}
      </Button>
      <span class="unseen" role="status">
        {fresh.value > 0 && words.fresh(fresh.value)}
      </span>
    </>
  );
}
