// OAuth clients of a world, and what they do without a browser.

import { ask, unlessBusy } from './world.mjs';

/** Where the client of a world is. No such host exists: see `Visit.site`. */
export const SITE = 'https://bridge.example';
const REDIRECT = `${SITE}/callback?tenant=7`;

/** An OAuth client that the account of this world may install, as its operator sees it, with its secret. */
export function oauthClient(world, fields = {}) {
  const body = { name: 'Demo bridge', redirect_uri: REDIRECT, accounts: [world.account], ...fields };
  return world.operatorApi('POST', '/admin/v1/oauth-clients', body);
}

/** Asks as the administrator of the world, who signs in for it. */
async function askSignedIn(world, path, body) {
  const { email, password } = world.admin;
  const signIn = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  };
  const session = await unlessBusy(() => fetch(`${world.base}/inbox/v1/session`, signIn));
  const { csrf_token: csrf } = await session.json();
  const cookie = session.headers.getSetCookie().map((it) => it.split(';')[0]);
  return ask(world.base, 'POST', path, { headers: { Cookie: cookie.join('; '), 'X-CSRF-Token': csrf }, body });
}

/** The administrator of the world installs it. Gives where the browser would go. */
export async function installs(world, client) {
  const { location } = await askSignedIn(world, `/inbox/v1/oauth-clients/${client.id}/consent`, { grant: true });
  return new URL(location);
}

/** The client asks for tokens with a code or a refresh token. Gives what was answered, whatever it is. */
export async function tokens(world, client, grant, agent = 'Demo-Bridge/1.4 (+https://bridge.example)') {
  const body = {
    client_id: client.id,
    client_secret: client.secret,
    grant_type: grant.code === undefined ? 'refresh_token' : 'authorization_code',
    redirect_uri: client.redirect_uri,
    ...grant,
  };
  const request = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'User-Agent': agent },
    body: JSON.stringify(body),
  };
  const response = await unlessBusy(() => fetch(`${world.base}/oauth2/access_token`, request));
  return { status: response.status, ...(await response.json()) };
}

/** A client that was installed, got tokens, and sent a refresh token that another process had used. */
export async function busyClient(world, fields) {
  const client = await oauthClient(world, fields);
  const arrived = await installs(world, client);
  const { refresh_token: first } = await tokens(world, client, { code: arrived.searchParams.get('code') });
  await tokens(world, client, { refresh_token: first });
  await tokens(world, client, { refresh_token: first }, 'amocrm-api-client/0.9 python-requests/2.32.3 '.repeat(3));
  const token = { name: 'Nightly report of the northern and western regions', expires_in_seconds: 157_680_000 };
  await askSignedIn(world, `/inbox/v1/oauth-clients/${client.id}/tokens`, token);
  return client;
}
