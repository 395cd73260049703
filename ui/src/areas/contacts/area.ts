import type { Area } from '../../area';
import { shell } from '../../words/shell';
import { ContactsPage } from './page';

export const contacts: Area = {
  pages: [{ at: '/contacts/:id?', shows: ContactsPage }],
  entries: [{ to: '/contacts', icon: 'contacts', says: () => shell().nav.contacts, group: 'work', key: 'KeyP' }],
};
