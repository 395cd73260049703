import { type Mistake, hintOf } from '../../words/hints';

/** A hint in the language of the reader; else the sentence of the service, which is English. */
export function Hint({ text, mistake }: { text: string; mistake: Mistake | null }) {
  const words = hintOf(mistake);
  return words === undefined ? <span lang="en">{text}</span> : <span>{words}</span>;
}
