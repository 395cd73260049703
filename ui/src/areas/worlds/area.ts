import { hasWorlds } from '../../api/session';
import type { Area } from '../../area';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

export const worlds: Area = {
  pages: [{ at: '/worlds/:id?', shows: later(() => import('../../integrations').then((pages) => pages.WorldsPage)) }],
  entries: [{ to: '/worlds', icon: 'worlds', says: () => shell().nav.worlds, group: 'operator', key: 'KeyW', isShown: hasWorlds }],
};
