import type { ShortcutWords } from './shortcuts.en';

export const es: ShortcutWords = {
  title: 'Atajos de teclado',
  letters: 'Usar atajos de una sola tecla',
  lettersHint: 'Si se desactiva, solo funcionan las combinaciones con Ctrl.',
  here: 'En esta página',
  everywhere: 'En todas partes',
};
