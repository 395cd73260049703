// What people work with beside the list of conversations: one file of the build, fetched when that list is shown.

import './live/installed';
import './live/notifications';
import './live/presence';
import { tellEarly } from './live/events';

export { ContactsPage } from './areas/contacts/page';
export { UnsortedPage } from './areas/leads/page';
export { Details } from './areas/inbox/details/details';
export { WriteFirst } from './areas/inbox/first/write-first';
export { Narrow } from './areas/inbox/list/narrow';
export { ThreadPane } from './areas/inbox/thread/head';
export { PresenceChoice } from './shell/presence';
export { Profile } from './shell/profile';
export { Shortcuts } from './shell/shortcuts';

tellEarly();
