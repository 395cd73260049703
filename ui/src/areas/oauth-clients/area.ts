import type { Area } from '../../area';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

export const clients: Area = {
  pages: [{ at: '/oauth-clients/:id?', shows: later(() => import('../../integrations').then((pages) => pages.ClientsPage)) }],
  entries: [{ to: '/oauth-clients', icon: 'key', says: () => shell().nav.oauthClients, group: 'operator', key: 'KeyL' }],
};
