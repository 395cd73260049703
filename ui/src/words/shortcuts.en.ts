export const en = {
  title: 'Keyboard shortcuts',
  letters: 'Use single-key shortcuts',
  lettersHint: 'If this is off, only combinations with Ctrl work.',
  here: 'On this page',
  everywhere: 'Everywhere',
};

export type ShortcutWords = typeof en;
