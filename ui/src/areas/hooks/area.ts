import type { Area } from '../../area';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

export const hooks: Area = {
  pages: [{ at: '/hooks/:account?/:webhook?/:id?', shows: later(() => import('../../integrations').then((pages) => pages.HooksPage)) }],
  entries: [{ to: '/hooks', icon: 'link', says: () => shell().nav.hooks, group: 'operator', key: 'KeyB' }],
};
