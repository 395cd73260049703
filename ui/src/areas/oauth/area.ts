import type { Area } from '../../area';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

const pages = () => import('./oauth');

export const oauth: Area = {
  pages: [
    { at: '/oauth', shows: later(() => pages().then((it) => it.ConsentPage)), isAlone: true },
    { at: '/integrations/:id?', shows: later(() => pages().then((it) => it.IntegrationsPage)) },
  ],
  entries: [
    { to: '/integrations', icon: 'plug', says: () => shell().nav.integrations, group: 'people', key: 'KeyT', administratorsOnly: true },
  ],
};
