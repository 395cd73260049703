import type { Area } from '../../area';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

export const reference: Area = {
  // A file of the build, `reference.js`, fetched when the page is first opened.
  pages: [{ at: '/reference/:id?', shows: later(() => import('./reference').then((it) => it.ReferencePage)) }],
  entries: [{ to: '/reference', icon: 'braces', says: () => shell().nav.api, group: 'operator', key: 'KeyA' }],
};
