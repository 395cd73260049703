// What administrators see of programs, OAuth clients and webhooks: one file of the build, fetched when a page of it is first
// opened.

export { ConsentPage } from './consent';
export { IntegrationsPage } from './page';
export { WebhooksPage } from '../webhooks/page';
