import { computed } from '@preact/signals';
import type { Area } from '../../area';
import { counts } from '../../live/counts';
import { shell } from '../../words/shell';
import { UnsortedPage } from './page';

export const deals: Area = {
  pages: [{ at: '/unsorted', shows: UnsortedPage }],
  entries: [
    {
      to: '/unsorted',
      icon: 'deals',
      says: () => shell().nav.unsorted,
      group: 'work',
      key: 'KeyD',
      count: computed(() => counts.value.unsorted),
    },
  ],
};
