// What administrators see of OAuth clients: one file of the build, fetched when a page of it is first opened.

export { ConsentPage } from './consent';
export { IntegrationsPage } from './page';
