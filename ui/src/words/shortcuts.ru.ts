import type { ShortcutWords } from './shortcuts.en';

export const ru: ShortcutWords = {
  title: 'Сочетания клавиш',
  letters: 'Использовать одиночные клавиши',
  lettersHint: 'Если выключить, работают только сочетания с Ctrl.',
  here: 'На этой странице',
  everywhere: 'Везде',
};
