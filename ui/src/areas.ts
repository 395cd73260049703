// All areas of the console, in the order of the navigation.

import type { Area } from './area';
import { callbacks } from './areas/callbacks/area';
import { channels } from './areas/channels/area';
import { contacts } from './areas/contacts/area';
import { leads } from './areas/leads/area';
import { hooks } from './areas/hooks/area';
import { health } from './areas/health/area';
import { inbox } from './areas/inbox/area';
import { oauth } from './areas/oauth/area';
import { clients } from './areas/oauth-clients/area';
import { people } from './areas/people/area';
import { reference } from './areas/reference/area';
import { relays } from './areas/relays/area';
import { requests } from './areas/requests/area';
import { webhooks } from './areas/webhooks/area';
import { worlds } from './areas/worlds/area';
import { match } from './router';

export const AREAS: readonly Area[] = [inbox, leads, contacts, people, oauth, webhooks, callbacks, hooks, relays, requests, channels, clients, health, worlds, reference];

/** Whether there is a page at a path: what leads to a page of another area asks before it is shown. */
export function hasPage(path: string): boolean {
  return AREAS.some((area) => area.pages.some((page) => match(page.at, path) !== undefined));
}
