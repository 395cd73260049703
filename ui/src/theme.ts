// Light, dark, or as the system says. Kept by this browser.

import { effect, signal } from '@preact/signals';
import { keep, kept } from './storage';

export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

export const theme = signal<Theme>(THEMES.find((known) => known === kept('theme')) ?? 'system');

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function chooseTheme(chosen: Theme): void {
  keep('theme', chosen === 'system' ? null : chosen);
  theme.value = chosen;
}
