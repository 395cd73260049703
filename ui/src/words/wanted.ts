// The languages of the console, and which of them this browser wants.

import { kept } from '../storage';

export const LANGUAGES = ['en', 'ru', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', ru: 'Русский', es: 'Español' };

/** The language of a tag such as `es-MX`, if the console has it. */
export function known(name: string | null | undefined): Language | undefined {
  const short = name?.slice(0, 2).toLowerCase();
  return LANGUAGES.find((language) => language === short);
}

/** The language that somebody chose here, else the first of the browser's that the console has. */
export const wanted: Language =
  known(kept('language')) ?? navigator.languages.map(known).find((it) => it !== undefined) ?? 'en';
