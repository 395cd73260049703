import { computed } from '@preact/signals';
import type { Area } from '../../area';
import { counts } from '../../live/counts';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

export const leads: Area = {
  pages: [{ at: '/unsorted', shows: later(() => import('../../work').then((pages) => pages.UnsortedPage)) }],
  entries: [
    {
      to: '/unsorted',
      icon: 'leads',
      says: () => shell().nav.unsorted,
      group: 'work',
      key: 'KeyD',
      count: computed(() => counts.value.unsorted),
    },
  ],
};
