// What a sender probably did wrong, in the language of the reader.

import type { HintDetails, HintsWords } from './hint-code';
import { es } from './hints.es';
import { ru } from './hints.ru';
import { dictionary } from './language';

/** In English, the sentence of the service. */
const en: Partial<HintsWords> = {};

const words = dictionary<Partial<HintsWords>>({ en, ru, es });

/** A hint as the service gives it: a code with its details. */
export type Mistake = HintDetails & { code: string };

/** A hint in words; undefined where the reader's language has none for it. */
export function hintOf(mistake: Mistake | null | undefined): string | undefined {
  const known: Readonly<Record<string, ((it: HintDetails) => string) | undefined>> = words();
  return mistake === null || mistake === undefined ? undefined : known[mistake.code]?.(mistake);
}
