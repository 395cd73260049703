// What the cases of the operator's pages share.

import { createHmac } from 'node:crypto';
import { settings } from './cases.mjs';

/** The HMAC-SHA1 of a text, in hexadecimal. */
export const signature = (secret, text) => createHmac('sha1', secret).update(text).digest('hex');

/** A world whose administrator opens this page and gives the operator's token. */
export async function atAsOperator(visit, path, options) {
  const world = await visit.world(options);
  await visit.signIn(world);
  await visit.open(world, typeof path === 'function' ? path(world) : path);
  await giveToken(visit);
  return world;
}

export async function giveToken(visit) {
  await visit.page.getByLabel('Operator token', { exact: true }).fill(visit.operator ?? settings.operator);
  await visit.page.getByRole('button', { name: 'Continue' }).click();
  // A page that is opened before the service has accepted the token asks for it again.
  await visit.page.getByLabel('Operator token', { exact: true }).waitFor({ state: 'hidden' });
}

/** A message of the account's whose callback is in this state; gives it as the operator sees it. */
export async function replied(visit, world, text, state, conversation = 'c-1') {
  const { conversation_id: id } = await world.says(conversation, 'Good day');
  const message = await world.replies(id, text);
  return visit.until(`${message.id} is ${state}`, async () => {
    const delivery = await world.operatorApi('GET', `/admin/v1/deliveries/${message.id}`);
    return delivery.state === state && delivery;
  });
}

/** Receivers answer so when they want no further attempt. */
export const GIVE_UP = [422, { 'X-No-Retry': '1' }, "TypeError: <img src=x onerror=alert(1)> is not a function"];
