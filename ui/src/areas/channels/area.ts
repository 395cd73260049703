import type { Area } from '../../area';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

export const channels: Area = {
  pages: [{ at: '/channels/:id?', shows: later(() => import('../../integrations').then((pages) => pages.ChannelsPage)) }],
  entries: [{ to: '/channels', icon: 'channels', says: () => shell().nav.channels, group: 'operator', key: 'KeyN' }],
};
