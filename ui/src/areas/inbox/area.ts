import { computed } from '@preact/signals';
import type { Area } from '../../area';
import { counts } from '../../live/counts';
import { shell } from '../../words/shell';
import { InboxPage } from './page';

export const inbox: Area = {
  pages: [{ at: '/conversations/:id?', shows: InboxPage }],
  entries: [
    {
      to: '/conversations',
      icon: 'inbox',
      says: () => shell().nav.inbox,
      group: 'work',
      key: 'KeyI',
      count: computed(() => counts.value.unread),
    },
  ],
};
