import type { Area } from '../../area';
import { shell } from '../../words/shell';
import { UnsortedPage } from './page';
import { count } from './store';

export const deals: Area = {
  pages: [{ at: '/unsorted', shows: UnsortedPage }],
  entries: [{ to: '/unsorted', icon: 'deals', says: () => shell().nav.unsorted, group: 'work', key: 'KeyD', count }],
};
