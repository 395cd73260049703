import type { Area } from '../../area';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

export const health: Area = {
  pages: [{ at: '/health', shows: later(() => import('../../integrations').then((pages) => pages.HealthPage)) }],
  entries: [{ to: '/health', icon: 'health', says: () => shell().nav.health, group: 'operator', key: 'KeyH' }],
};
