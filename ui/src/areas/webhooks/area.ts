import { computed } from '@preact/signals';
import type { Area } from '../../area';
import { counts } from '../../live/counts';
import { later } from '../../parts/later';
import { shell } from '../../words/shell';

export const webhooks: Area = {
  pages: [{ at: '/webhooks/:id?', shows: later(() => import('../oauth/oauth').then((pages) => pages.WebhooksPage)) }],
  entries: [
    {
      to: '/webhooks',
      icon: 'link',
      says: () => shell().nav.webhooks,
      group: 'people',
      key: 'KeyK',
      administratorsOnly: true,
      count: computed(() => counts.value.disabled_webhooks),
    },
  ],
};
