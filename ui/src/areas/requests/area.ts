import type { Area } from '../../area';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

export const requests: Area = {
  pages: [{ at: '/requests/:id?', shows: later(() => import('../../integrations').then((pages) => pages.RequestsPage)) }],
  entries: [{ to: '/requests', icon: 'requests', says: () => shell().nav.requests, group: 'operator', key: 'KeyR' }],
};
