// Drives an installation as a bridge does it: amocrm-js for the account, amotop for the chats. Nothing is changed.
'use strict';
const fs = require('node:fs');
const { given, library } = require('./operations.js');
const { Client } = library('amocrm-js');
const { AmoJoChannelClient, AmoJoScopeClient } = library('@mobilon-dev/amotop');

async function install() {
  const { client_id, client_secret, redirect_uri, code } = given;
  const client = new Client({ domain: given.subdomain, auth: { client_id, client_secret, redirect_uri, code } });
  const account = async () => (await client.request.get('/api/v4/account', { with: 'amojo_id' })).data;
  const told = { account: await account() };

  // The access token is over: the library uses the refresh token by itself.
  const first = client.token.getValue();
  client.token.setValue({ ...first, expires_at: 1 });
  told.again = await account();
  told.refreshed = client.token.getValue().refresh_token !== first.refresh_token;

  const chats = { channelSecret: given.secret };
  const channel = new AmoJoChannelClient({ channelId: given.channel, ...chats });
  told.connected = await channel.connectChannel(told.account.amojo_id, 'Bridge', 'v2');
  const scope = new AmoJoScopeClient({ scopeId: told.connected.scope_id, ...chats });
  const chat = await scope.createChat({ conversation_id: 'js-chat', user: { id: 'js-customer', name: 'Grace' } });
  const message = { conversationId: chat.id, message: 'Is it in stock?', senderName: 'Grace' };
  told.sent = (await scope.sendMessage(scope.getTextPayloadFromContact(message))).new_message;
  return told;
}

install().then((told) => {
  fs.writeSync(1, JSON.stringify(told));
  process.exit(0);
});
