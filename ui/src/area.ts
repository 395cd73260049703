// What an area of the console consists of. An area is a folder under `areas/`; `areas.ts` lists them all.

import type { ReadonlySignal } from '@preact/signals';
import type { ComponentType } from 'preact';
import type { Count } from './live/counts';
import type { IconName } from './parts/icon';

export interface Page {
  /** The address, such as `/roles/:id?`. Its first segment must be among `PAGES` of `http/src/console.rs`. */
  at: string;
  /** Gets the parameters of the address: each is a text, or undefined where the address may lack it. */
  shows: ComponentType<any>;
  /** Shown without the navigation: for people who come from another site and go back there. */
  isAlone?: boolean;
}

export interface Entry {
  /** Where it leads. */
  to: string;
  icon: IconName;
  /** What it is called, in the language of now. */
  says: () => string;
  /** Whom it is shown to; `operator` stands under a heading of its own. */
  group: 'work' | 'people' | 'operator';
  /** The second key of the shortcut `g …`, as `KeyboardEvent.code` has it. */
  key?: string;
  /** What waits there; none shows nothing. */
  count?: ReadonlySignal<Count>;
  administratorsOnly?: boolean;
  /** Whether there is something to show; always without. */
  isShown?: ReadonlySignal<boolean>;
}

export interface Area {
  pages: readonly Page[];
  entries: readonly Entry[];
}
