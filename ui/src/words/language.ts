// The language of the console, its dictionaries, and how numbers and times are written in it.

import { effect, signal } from '@preact/signals';
import { keep, kept } from '../storage';
import { LANGUAGES, type Language, known, locale, wanted } from './wanted';

/** The language that is shown. Its words are here: see `show`. */
export const language = signal<Language>('en');

effect(() => {
  document.documentElement.lang = language.value;
});

/** Somebody chose a language: this browser keeps it. */
export function choose(name: Language): void {
  keep('language', name);
  void show(name);
}

/** The language of the user's record, which counts as long as nobody chose another one here. */
export function suggest(name: string): void {
  const suggested = known(name);
  if (known(kept('language')) === undefined && suggested !== undefined) void show(suggested);
}

/** Words that are here, or that are fetched when their language is first shown. */
type Words<W> = W | (() => Promise<W>);
const loaders: ((name: Language) => Promise<void> | undefined)[] = [];

/** The words of an area in every language. English is the type: a key that another language lacks does not compile. */
export function dictionary<W extends object>(words: { en: W; ru: Words<NoInfer<W>>; es: Words<NoInfer<W>> }): () => W {
  const here: Partial<Record<Language, W>> = {};
  // What is here counts at once: the file of these words may itself have come after the language was chosen.
  for (const name of LANGUAGES) {
    const given = words[name];
    if (typeof given !== 'function') here[name] = given;
  }
  loaders.push((name) => {
    const given = words[name];
    if (here[name] !== undefined || typeof given !== 'function') return undefined;
    return (given as () => Promise<W>)().then((found) => {
      here[name] = found;
    });
  });
  return () => here[language.value] ?? words.en;
}

let newest: Language = 'en';

/** Shows a language once its words are here. Where they cannot be had, the language stays as it is. */
export async function show(name: Language): Promise<void> {
  newest = name;
  try {
    await Promise.all(loaders.map((load) => load(name)));
  } catch {
    return;
  }
  if (newest === name) language.value = name;
}

/** Shows the language that this browser is set to. */
export function start(): Promise<void> {
  return show(wanted);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function format(name: string, options: Intl.DateTimeFormatOptions, seconds: number): string {
  const key = `${language.value} ${name}`;
  let found = formats.get(key);
  if (found === undefined) {
    found = new Intl.DateTimeFormat(locale(language.value), options);
    formats.set(key, found);
  }
  return found.format(new Date(seconds * 1000));
}

/** «12:01». Seconds since 1970, as in all interfaces. */
export function clock(seconds: number): string {
  return format('clock', { hour: '2-digit', minute: '2-digit' }, seconds);
}

/** «12:01:03». */
export function exactClock(seconds: number): string {
  return format('exact', { hour: '2-digit', minute: '2-digit', second: '2-digit' }, seconds);
}

/** «20 November 2026». */
export function day(seconds: number): string {
  return format('day', { day: 'numeric', month: 'long', year: 'numeric' }, seconds);
}

/** «20 Nov, 12:01:03»: a moment as lists show it. */
export function moment(seconds: number): string {
  return format(
    'moment',
    { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
    seconds,
  );
}

/** The time of today, else the day: the shortest that tells when. */
export function shortMoment(seconds: number): string {
  const [then, now] = [new Date(seconds * 1000), new Date()];
  if (then.toDateString() === now.toDateString()) return clock(seconds);
  if (then.getFullYear() === now.getFullYear()) return format('short', { day: 'numeric', month: 'short' }, seconds);
  return format('old', { day: 'numeric', month: 'short', year: 'numeric' }, seconds);
}

/** How long ago that was, in the one unit that tells most: «5 min», «3 hr», «2 days». */
export function age(seconds: number): string {
  const minutes = Math.max(0, Math.floor((Date.now() / 1000 - seconds) / 60));
  const [value, unit] = minutes < 60 ? [minutes, 'minute'] : minutes < 48 * 60 ? [Math.floor(minutes / 60), 'hour'] : [Math.floor(minutes / 1440), 'day'];
  return new Intl.NumberFormat(language.value, { style: 'unit', unit, unitDisplay: 'short' }).format(value);
}

/** The time of today to the second, else the day with it: a moment in a list whose rows are mostly of today. */
export function recentMoment(seconds: number): string {
  const isToday = new Date(seconds * 1000).toDateString() === new Date().toDateString();
  return isToday ? exactClock(seconds) : moment(seconds);
}

export function number(value: number): string {
  return new Intl.NumberFormat(language.value).format(value);
}

/** «1.2 MB». */
export function bytes(value: number): string {
  const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, value)) / 3));
  const options = { style: 'unit', unit: units[step] ?? 'byte', unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language.value, options).format(value / 1000 ** step);
}
