// The rules for what an administrator writes of a user. The service decides; this tells while somebody is writing.

import { people } from '../../../words/people';

export interface Rule {
  says: string;
  holds: boolean;
}

export const NAME_MOST = 50;

/** Ends of words that mail programs make a link of, as the service knows them. */
const LINKS = /^www\.|^[^@]*\.(com|net|org|ru|рф|info|biz|io|su|xyz)\.*$/iu;

export function ofName(name: string): Rule[] {
  const words = people().add.rules;
  const length = [...name].length;
  return [
    { says: words.length(length, NAME_MOST), holds: length > 0 && length <= NAME_MOST },
    { says: words.signs, holds: /^[\p{Alphabetic}\p{N}\u0300-\u036f .@_-]*$/u.test(name) && /[\p{Alphabetic}\p{N}]/u.test(name) },
    { says: words.noLink, holds: !name.split(' ').some((word) => LINKS.test(word)) },
  ];
}

export function ofEmail(email: string): Rule[] {
  return [{ says: people().add.rules.email, holds: /^[^\s@"<>[\]]+@[^\s@"<>[\]]+\.[^\s@.]+$/u.test(email) && email.length <= 254 }];
}

export function ofPassword(password: string): Rule[] {
  const words = people().add.rules;
  return [
    { says: words.six, holds: [...password].length >= 6 },
    { says: words.digit, holds: /[0-9]/.test(password) },
    { says: words.lower, holds: /\p{Lowercase}/u.test(password) },
    { says: words.upper, holds: /\p{Uppercase}/u.test(password) },
  ];
}

/** A password that obeys the rules, made by the browser's random numbers, without signs that are mistaken for others. */
export function makePassword(): string {
  const signs = ['abcdefghijkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789'];
  const any = signs.join('');
  const one = (of: string): string => {
    // What lies behind the last whole round is thrown again: no sign is likelier than another.
    const most = 256 - (256 % of.length);
    for (;;) {
      const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
      if (byte < most) return of.charAt(byte % of.length);
    }
  };
  return [...signs.map(one), ...Array.from({ length: 11 }, () => one(any))].join('');
}
