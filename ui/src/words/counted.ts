// Numbers with their nouns.

import type { Language } from './wanted';

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
const rules = new Map<Language, Intl.PluralRules>();

/** A number with the form of its noun: «1 message», «2 сообщения». */
export function counted(of: Language, number: number, forms: Forms): string {
  let rule = rules.get(of);
  if (rule === undefined) {
    rule = new Intl.PluralRules(of);
    rules.set(of, rule);
  }
  return `${new Intl.NumberFormat(of).format(number)} ${forms[rule.select(number)] ?? forms.other}`;
}
