import { type Connection, pause, refresh } from '../live/events';
import { clock } from '../words/language';
import { shell } from '../words/shell';
import './connection.css';

/** Whether what is shown is still true, in words. */
export function ConnectionState({ state }: { state: Connection }) {
  const words = shell().connection;
  const says = {
    live: () => words.live,
    connecting: () => ('again' in state && state.again ? words.reconnecting : words.connecting),
    stale: () => words.stale(clock('since' in state ? state.since : 0)),
    paused: () => words.paused(clock('since' in state ? state.since : 0)),
    'signed-out': () => words['signed-out'],
  }[state.is]();
  return (
    <div class={`connection ${state.is}`}>
      <span role="status" aria-label={words.label}>
        <i aria-hidden="true" />
        {says}
      </span>
      {state.is === 'stale' && (
        <button type="button" onClick={() => void refresh()}>
          {words.refresh}
        </button>
      )}
      {state.is === 'paused' && (
        <button type="button" onClick={() => pause(false)}>
          {words.resume}
        </button>
      )}
    </div>
  );
}
