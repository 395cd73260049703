// Why a callback or its address stands where it does, in the language of the reader.

import { dictionary } from './language';
import { type ReasonsWords, en } from './reasons.en';
import { es } from './reasons.es';
import { ru } from './reasons.ru';

const words = dictionary<ReasonsWords>({ en, ru, es });

/** A reason as the service tells it: a sentence in English, its code, and what it names. */
export interface Reason {
  reason?: string | null;
  reason_code?: string | null;
  reason_details?: { status?: number; attempt?: number; last?: string; conversation_id?: string };
}

/** A reason in words; in those of the service where the code is not known here. */
export function reasonOf({ reason, reason_code: code, reason_details: details = {} }: Reason): string {
  const known = words();
  const say = (code: string | null | undefined, last: string): string | undefined =>
    isKnown(code, known) ? known[code]({ status: details.status, attempt: details.attempt, last, conversation: details.conversation_id ?? '' }) : undefined;
  const last = say(details.last, '');
  // Within another sentence it begins with a small letter.
  return say(code, last === undefined ? (details.last ?? '') : last.charAt(0).toLowerCase() + last.slice(1)) ?? reason ?? '';
}

function isKnown(code: string | null | undefined, words: ReasonsWords): code is keyof ReasonsWords {
  return code !== null && code !== undefined && Object.hasOwn(words, code);
}
