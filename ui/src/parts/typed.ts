import type { Signal } from '@preact/signals';

/** What an input of text carries to show a signal and to change it. */
export const typed = (value: Signal<string>) => ({
  value: value.value,
  onInput: (event: { currentTarget: { value: string } }) => {
    value.value = event.currentTarget.value;
  },
});
