import type { Area } from '../../area';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

export const callbacks: Area = {
  pages: [{ at: '/callbacks/:id?', shows: later(() => import('../../integrations').then((pages) => pages.CallbacksPage)) }],
  entries: [{ to: '/callbacks', icon: 'callbacks', says: () => shell().nav.callbacks, group: 'operator', key: 'KeyC' }],
};
