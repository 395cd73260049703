import type { Area } from '../../area';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

export const contacts: Area = {
  pages: [{ at: '/contacts/:id?', shows: later(() => import('../../work').then((pages) => pages.ContactsPage)) }],
  entries: [{ to: '/contacts', icon: 'contacts', says: () => shell().nav.contacts, group: 'work', key: 'KeyP' }],
};
