// Names that look like nothing: they would be empty rows.

/** A character that a reader sees: no space, no control or format character, no filler. U+2800 is a pattern without dots. */
const SEEN = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a reader sees anything of a text. */
export function isVisible(text: string | null | undefined): text is string {
  return text !== null && text !== undefined && SEEN.test(text);
}
