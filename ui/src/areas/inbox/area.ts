import type { Area } from '../../area';
import { shell } from '../../words/shell';
import { unread } from './list/store';
import { InboxPage } from './page';

export const inbox: Area = {
  pages: [{ at: '/conversations/:id?', shows: InboxPage }],
  entries: [
    { to: '/conversations', icon: 'inbox', says: () => shell().nav.inbox, group: 'work', key: 'KeyI', count: unread },
  ],
};
