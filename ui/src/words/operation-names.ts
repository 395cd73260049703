// What a recorded request was for, in the language of the reader.

import { dictionary } from './language';
import { type OperationsWords, en } from './operation-names.en';
import { es } from './operation-names.es';
import { ru } from './operation-names.ru';

const words = dictionary<OperationsWords>({ en, ru, es });

/** An operation in words; undefined where the page has none for it. */
export function operation(id: string | null): string | undefined {
  const known: Readonly<Record<string, string>> = words();
  return id === null ? undefined : known[id];
}
