/** A text in which `backticks` mark what is to be typed. */
export function Prose({ text, lang }: { text: string; lang?: string }) {
  const parts = text.split('`').map((part, at) => (at % 2 === 1 ? <code key={at}>{part}</code> : part));
  return lang === undefined ? <>{parts}</> : <span lang={lang}>{parts}</span>;
}
