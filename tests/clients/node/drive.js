// Drives the library @mobilon-dev/amotop, as it is published, through all its operations of the chat interface against a
// running service. Reads what it is given as JSON on standard input, writes the answers as JSON on standard output. The
// only thing that is changed is a public attribute: where the service is. Behind the proxy nothing is changed.
'use strict';
const fs = require('fs');
const { createRequire } = require('module');
const given = JSON.parse(fs.readFileSync(0, 'utf8'));
const { AmoJoChannelClient, AmoJoScopeClient } = createRequire(given.modules + '/')('@mobilon-dev/amotop');

const channel = new AmoJoChannelClient({ channelId: given.channel, channelSecret: given.secret });
const scope = new AmoJoScopeClient({ scopeId: given.channel + '_' + given.account, channelSecret: given.secret });
for (const client of given.url ? [channel, scope] : []) {
  client.instance.defaults.baseURL = given.url + '/v2/origin/custom';
}

// Everything up to the answer of an account user.
async function first() {
  const told = {};
  told.connected = await channel.connectChannel(given.account, 'Канал', 'v2');
  told.untitled = await channel.connectChannel(given.account);
  told.chat = await scope.createChat(scope.getChatDto(given.user));
  const place = { conversationId: told.chat.id };
  const said = { message: 'Привет / hello 😀', mediaUrl: 'https://example.com/a/b.png', sourceExternalId: 'shop 7' };
  const silent = { silent: true };
  const contact = { ...place, ...said, senderName: 'Вася' };
  const user = { ...place, ...said, ...silent, amojoUserId: given.user };
  const bot = { ...place, ...said, ...silent, channelBotId: given.bot };
  const payloads = {
    textFromContact: scope.getTextPayloadFromContact(contact),
    imageFromContact: scope.getImagePayloadFromContact(contact),
    imageWithoutText: scope.getImagePayloadFromContact({ ...contact, message: undefined }),
    videoFromContact: scope.getVideoPayloadFromContact(contact),
    audioFromContact: scope.getAudioPayloadFromContact(contact),
    textFromUser: scope.getTextPayloadFromUser(user),
    imageFromUser: scope.getImagePayloadFromUser(user),
    videoFromUser: scope.getVideoPayloadFromUser(user),
    audioFromUser: scope.getAudioPayloadFromUser(user),
    textFromBot: scope.getTextPayloadFromBot(bot),
    imageFromBot: scope.getImagePayloadFromBot(bot),
    videoFromBot: scope.getVideoPayloadFromBot(bot),
    audioFromBot: scope.getAudioPayloadFromBot(bot),
  };
  const quote = { message: 'quoted', senderName: 'Вася', mediaUrl: 'https://example.com/q.png' };
  const text = scope.getTextPayloadFromContact;
  payloads.quoteOfText = { ...text.call(scope, contact), ...scope.getQuoteTextMessage(quote) };
  payloads.quoteOfImage = { ...text.call(scope, contact), ...scope.getQuoteImageMessage(quote) };
  payloads.quoteOfVideo = { ...text.call(scope, contact), ...scope.getQuoteVideoMessage(quote) };
  told.sent = {};
  for (const [name, payload] of Object.entries(payloads)) {
    const answer = await scope.sendMessage(payload);
    told.sent[name] = { ...answer.new_message, asked: payload.msgid };
  }
  told.history = await scope.getChatHistory(told.chat.id);
  return told;
}

// What follows the answer of an account user, up to the end of the connection.
async function then() {
  const told = { statuses: [] };
  told.statuses.push(await scope.updateMessageStatus(given.message, -1, 905, 'Текст ошибки'));
  told.statuses.push(await scope.updateMessageStatus(given.message, 1));
  told.statuses.push(await scope.updateMessageStatus(given.message, 2));
  told.history = await scope.getChatHistory(given.conversation);
  told.disconnected = await channel.disconnectChannel(given.account);
  try {
    await scope.getChatHistory(given.conversation);
  } catch (error) {
    told.refused = error.response.data;
  }
  return told;
}

({ first, then })[given.do]().then(
  (told) => fs.writeFileSync(1, JSON.stringify(told)),
  (error) => {
    console.error(error.message, error.response ? JSON.stringify(error.response.data) : error.stack);
    process.exitCode = 1;
  },
);
