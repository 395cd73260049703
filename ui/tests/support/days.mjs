// Worlds in which something has happened: what pictures show, and what is measured.

import { GIVE_UP, replied, signature } from './operator.mjs';

/** A working day: people with names of many alphabets, and a conversation with everything in it. */
export async function workingDay(world) {
  const now = Math.floor(Date.now() / 1000);
  const ago = (minutes) => now - minutes * 60;
  const others = [
    ['Boris Petrov', 'Thanks, that helped a lot!'],
    ['Chiara Rossi', 'Buongiorno, is the blue one still available in a larger size?'],
    ['Diego Álvarez', '¿Cuándo llega mi pedido?'],
    ['Екатерина Смирнова', 'Здравствуйте! Можно оформить возврат?'],
    ['Fatima Noor', 'I have sent you the photo of the receipt'],
    ['Grace Hopper', 'Found the bug. It was an actual moth.'],
    ['Ηρώ Παπαδάκη', 'Ευχαριστώ πολύ!'],
  ];
  for (const [at, [name, text]] of others.entries()) {
    const profile = { phone: `+4930555${100 + at}`, email: `${name.split(' ')[0].normalize('NFD').replace(/[^\w]/g, '') || 'customer'}@example.org` };
    await world.says(`c-${at}`, text, { name, at: ago(300 - at * 30), sender: { profile } });
  }
  for (const text of ['Old order 4711', 'It was delivered in 2019']) {
    await world.says('c-ada', text, { name: 'Ada Lovelace', silent: true, at: ago(3 * 1440) });
    await world.says('c-silent', text, { name: 'Imported Customer', silent: true, at: ago(3 * 1440) });
  }
  const profile = { phone: '+44 20 7946 0000', email: 'ada@example.org' };
  const sender = { profile, profile_link: 'https://messenger.example.com/ada' };
  const ada = (text, minutes, more = {}) => world.says('c-ada', text, { name: 'Ada Lovelace', at: ago(minutes), sender, ...more });
  const { conversation_id: id } = await ada('Hi, is the analytical engine in stock?', 42);
  const first = await world.replies(id, 'Good morning, Ada! Yes, three are left.');
  await ada('Wonderful. I would like one with a printer, delivered to Marylebone, please.', 20);
  const second = await world.replies(id, 'Of course. I have reserved it for you until Friday.');
  await ada('', 12, { message: { type: 'location', location: { lon: -0.1543, lat: 51.5196 } } });
  const third = await world.replies(id, 'On its way! The number of the parcel is 1843.');
  await world.receiver.until(3);
  await world.reports(first.id, 2);
  await world.reports(second.id, 1);
  await world.reports(third.id, -1, { error_code: 904, error: 'not registered in the messenger' });
  await world.api('POST', `/inbox/v1/conversations/${id}/read`);
  await ada('Where is my order?', 1);
  await ada('I cannot find it in the app.', 0);
  world.conversation = id;
}

/** A day on which not everything went well: callbacks that were not taken, requests that were refused. */
export async function badDay(visit, world) {
  const done = await replied(visit, world, 'Good morning, Ada! Yes, three are left.', 'delivered');
  world.receiver.answerWith(...GIVE_UP);
  world.dead = (await replied(visit, world, 'I have reserved it for you until Friday.', 'dead')).id;
  await replied(visit, world, 'Your parcel is on its way.', 'dead', 'c-2');
  world.receiver.answerWith(503, {}, 'upstream connect error or disconnect/reset before headers');
  await replied(visit, world, 'Is there anything else?', 'waiting', 'c-3');
  world.delivered = done.id;
  const payload = {
    timestamp: 'yesterday',
    msgid: 'm-9',
    conversation_id: 'c-1',
    sender: { id: 'u-1', name: 'Ada Lovelace', avatar: 'https://images.example.com/a.png' },
    message: { type: 'text', text: 'Hello, is the analytical engine in stock?' },
    silent: false,
  };
  const address = `${world.base}/v2/origin/custom/${world.scope}`;
  const post = (body, signed) => {
    const headers = { 'Content-Type': 'application/json', 'X-Signature': signature(world.channel.secret, signed) };
    return fetch(address, { method: 'POST', body, headers });
  };
  const bad = JSON.stringify({ event_type: 'new_message', payload });
  await post(bad, bad);
  const good = JSON.stringify({ event_type: 'new_message', payload: { ...payload, timestamp: Math.floor(Date.now() / 1000) } });
  await post(good, good.replaceAll('":', '": ').replaceAll(',"', ', "'));
  const { requests } = await world.operatorApi('GET', `/admin/v1/requests?channel_id=${world.channel.id}&outcome=refused`);
  [world.forged, world.invalid] = requests.map((it) => it.id);
}

/** What fits nowhere: names and texts that are too long, have no place to break, are empty, or run from right to left. */
export async function awkwardDay(world) {
  const unbroken = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3);
  const says = (conversation, text, name, more = {}) => world.says(conversation, text, { name, ...more });
  await says('w-spaces', 'My name is nothing but spaces.', '   ');
  await says('w-arabic', 'مرحبا، هل المحرك التحليلي متوفر؟', 'فاطمة الزهراء');
  await says('w-hebrew', 'שלום, האם זה במלאי? (ABC 123)', 'רחל כהן');
  await says('w-long', 'The same sentence once more, as long as it takes. '.repeat(100), unbroken.slice(0, 200));
  await says('w-long', unbroken.repeat(4), unbroken.slice(0, 200));
  const file = { type: 'file', media: 'https://files.example.com/1', file_name: `${unbroken}.pdf`, file_size: 123_456_789 };
  await says('w-long', '', unbroken.slice(0, 200), { message: file });
  await says('w-long', '', unbroken.slice(0, 200), { message: { type: 'contact', contact: { name: unbroken, phone: '+49 30 123456789' } } });
  const { conversation_id: id } = await says('w-long', '', unbroken.slice(0, 200), { message: { type: 'location', location: { lon: -0.1543, lat: 51.5196 } } });
  world.awkward = id;
}
