// Texts in the form in which a filter compares them, as the service does in its searches.

/** Without case, accents, and characters that nobody sees; `й` is a letter and stays. */
export function folded(text: string): string {
  const letters = text.normalize('NFKD').toLowerCase();
  return letters.replace(/(?<!и)[\u0300-\u036f]|\p{Cf}/gu, '').replace(/[’‘ʼ]/gu, "'").normalize('NFC');
}
