// An integration that answers each text of an account user with the same text, as a message of the customer.

import { createHmac, timingSafeEqual } from 'node:crypto';
import http from 'node:http';

const { SWITCHBOARD_URL, SWITCHBOARD_SCOPE_ID, SWITCHBOARD_CHANNEL_SECRET, PORT = '0' } = process.env;
const AVATAR = 'https://example.com/customer.png'; // this way of signing needs one

const sign = (body) => createHmac('sha1', SWITCHBOARD_CHANNEL_SECRET).update(body).digest('hex');

function isSigned(body, signature = '') {
  const [ours, theirs] = [Buffer.from(sign(body)), Buffer.from(signature)];
  return ours.length === theirs.length && timingSafeEqual(ours, theirs);
}

// Everything in it follows from the callback. So a callback that arrives twice gives the same message, which is stored once.
const echoOf = ({ conversation, receiver, timestamp, message }) => JSON.stringify({
  event_type: 'new_message',
  payload: {
    timestamp,
    msgid: `echo-${message.id}`,
    conversation_id: conversation.client_id || conversation.id, // an account user may have started it
    conversation_ref_id: conversation.id,
    sender: { id: receiver.client_id || receiver.id, name: receiver.name ?? 'Customer', avatar: AVATAR },
    message: { type: 'text', text: `echo: ${message.text}` },
  },
});

const post = (body) => fetch(`${SWITCHBOARD_URL}/v2/origin/custom/${SWITCHBOARD_SCOPE_ID}`, {
  method: 'POST',
  headers: { 'Content-Type': 'application/json', 'X-Signature': sign(body) },
  body,
  signal: AbortSignal.timeout(5_000),
});

async function isEchoed(event) {
  const body = echoOf(event);
  // A connection that broke leaves open whether the message was stored: the same message again is harmless.
  const answer = await post(body).catch(() => post(body)).catch(() => undefined);
  return answer?.ok ?? false;
}

const server = http.createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray());
  if (!isSigned(body, request.headers['x-signature'])) return response.writeHead(403).end();
  const { message: event } = JSON.parse(body); // absent in callbacks about typing and reactions
  const isDone = event?.message.type !== 'text' || (await isEchoed(event));
  return response.writeHead(isDone ? 200 : 503).end(); // after 503 the service repeats the callback
});

server.listen(Number(PORT), '127.0.0.1', () => console.log(server.address().port));
