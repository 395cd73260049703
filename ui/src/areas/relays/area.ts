import type { Area } from '../../area';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

export const relays: Area = {
  pages: [{ at: '/relays/:id?', shows: later(() => import('../../integrations').then((pages) => pages.RelaysPage)) }],
  entries: [{ to: '/relays', icon: 'callbacks', says: () => shell().nav.relays, group: 'operator', key: 'KeyE' }],
};
