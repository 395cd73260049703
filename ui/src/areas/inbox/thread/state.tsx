import { isAdministrator } from '../../../api/session';
import { hasPage } from '../../../areas';
import { Badge, type Tone } from '../../../parts/badge';
import type { IconName } from '../../../parts/icon';
import { inbox } from '../../../words/inbox';
import { exactClock } from '../../../words/language';
import { reasonOf } from '../../../words/reasons';
import type { Message } from '../types';
import './state.css';

interface State {
  tone: Tone;
  icon: IconName;
  /** What has become of the message, in two words. */
  word: string;
  /** Why, and what comes next. */
  more: string;
  /** The customer will not get it: sending it again is a way out. */
  isLost: boolean;
  /** It waits, and somebody may decide that it is not sent. */
  isWaiting: boolean;
}

const CODES = [901, 902, 903, 904, 905] as const;

/** Whether a message waits for its integration, or behind another one that does. */
function isWaiting({ callback, delivery }: Message): boolean {
  if (delivery?.status !== 'queued' || callback === undefined) return false;
  const { state, reason_code: reason } = callback;
  return state === 'waiting' || state === 'held' || (state === 'queued' && reason === 'behind_earlier');
}

/** What has become of an account user's message: first of the callback, then of the delivery. */
export function stateOf(message: Message): State | undefined {
  const words = inbox().state;
  const { delivery, callback } = message;
  if (delivery === undefined) return undefined;
  const state = (tone: Tone, icon: IconName, word: string, more = '', isLost = false): State => ({ tone, icon, word, more, isLost, isWaiting: isWaiting(message) });
  if (delivery.status === 'error') {
    const code = CODES.find((known) => known === delivery.error_code);
    const said = delivery.error ?? '';
    // 905 means nothing by itself: what the integration said stands alone then.
    const meaning = code === undefined || (code === 905 && said !== '') ? '' : words[code];
    const more = [meaning, said && words.said(said)].filter(Boolean).join(' · ');
    return state('bad', 'warning', words.error(delivery.error_code ?? 0), more, true);
  }
  if (delivery.status === 'read') return state('info', 'checks', words.read);
  if (delivery.status === 'delivered') return state('good', 'checks', words.delivered);
  const reason = callback === undefined ? '' : reasonOf(callback);
  const due = callback?.next_attempt_at;
  const next = due === null || due === undefined ? '' : words.next(exactClock(due));
  const more = [reason, next].filter(Boolean).join(' · ');
  switch (callback?.state) {
    case 'dead':
      return state('bad', 'warning', words.dead, more, true);
    case 'cancelled':
      return state('bad', 'stopped', words.cancelled, more, true);
    case 'waiting':
      return state('warn', 'retry', words.waiting(callback.attempts), more);
    case 'held':
      return state('warn', 'paused', words.held, more);
    case 'sending':
      return state('plain', 'clock', words.sending);
    case 'queued':
      return state('plain', 'clock', words.queued, more);
    case 'delivered':
    case undefined:
      return delivery.status === 'sent' || callback?.state === 'delivered'
        ? state('plain', 'check', words.sent)
        : state('plain', 'clock', words.queued);
  }
}

interface Ways {
  message: Message;
  onAgain: (() => void) | undefined;
  onWithdraw: () => void;
  onDismiss: (() => void) | undefined;
}

/** The state below a message, with the ways out of failures. */
export function StateLine({ message, onAgain, onWithdraw, onDismiss }: Ways) {
  const words = inbox().state;
  const state = stateOf(message);
  if (state === undefined) return null;
  return (
    <div class="message-state">
      <Badge tone={state.tone} icon={state.icon}>
        {state.word}
      </Badge>
      {state.more !== '' && <p>{state.more}</p>}
      {(state.isLost || state.isWaiting || state.tone === 'warn') && (
        <p class="ways">
          {state.isLost && onAgain !== undefined && (
            <button type="button" class="link" onClick={onAgain}>
              {words.again}
            </button>
          )}
          {state.isWaiting && (
            <button type="button" class="link" onClick={onWithdraw}>
              {words.withdraw}
            </button>
          )}
          {state.isLost && onDismiss !== undefined && (
            <button type="button" class="link" onClick={onDismiss}>
              {words.dismiss}
            </button>
          )}
          {isAdministrator.value && message.callback !== undefined && hasPage('/callbacks/1') && (
            <a href={`/callbacks/${message.id}`}>{words.see}</a>
          )}
        </p>
      )}
    </div>
  );
}
