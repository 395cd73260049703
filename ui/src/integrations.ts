// The operator's pages: one file of the build, fetched when one of them is first opened. Most people never open one.

export { CallbacksPage } from './areas/callbacks/page';
export { ChannelsPage } from './areas/channels/page';
export { HooksPage } from './areas/hooks/page';
export { HealthPage } from './areas/health/page';
export { ClientsPage } from './areas/oauth-clients/page';
export { RelaysAlone } from './areas/relays/alone';
export { RelaysPage } from './areas/relays/page';
export { RequestsPage } from './areas/requests/page';
export { WorldsPage } from './areas/worlds/page';
