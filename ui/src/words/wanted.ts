// The languages of the console, and which of them this browser wants.

import { kept } from '../storage';

export const LANGUAGES = ['en', 'ru', 'es'] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_NAMES: Record<Language, string> = { en: 'English', ru: 'Русский', es: 'Español' };

/** The language of a tag such as `es-MX`, if the console has it. */
export function known(name: string | null | undefined): Language | undefined {
  const short = name?.split(/[^A-Za-z]/, 1)[0]?.toLowerCase();
  return LANGUAGES.find((language) => language === short);
}

/** What the browser says of its languages. It may say anything, as `en-US@posix` on a machine without a locale. */
function ofBrowser(): readonly string[] {
  return navigator.languages ?? [];
}

/** The language with the region that this browser is set to, if formatters take that tag: British people want a 24-hour clock. */
export function locale(language: Language): string {
  return ofBrowser().find((tag) => known(tag) === language && isTag(tag)) ?? language;
}

/** Formatters throw at what is no tag. */
function isTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

/** The language that somebody chose here, else the first of the browser's that the console has. */
export const wanted: Language =
  known(kept('language')) ?? ofBrowser().map(known).find((it) => it !== undefined) ?? 'en';
