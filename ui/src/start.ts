// The first file that runs. It is small, and requests what the first page shows while the rest of the code arrives: who is
// signed in, the words of their language, and the conversations where the page lists them.

import { begin } from './api/begun';
import { CONVERSATIONS, FIRST } from './areas/inbox/list/question';
import { wanted } from './words/wanted';

// Whoever shows these words hears of a failure.
if (wanted === 'ru') import('./words/words-ru').catch(() => {});
if (wanted === 'es') import('./words/words-es').catch(() => {});

const isInbox = /^\/(conversations(\/[^/]*)?)?$/.test(location.pathname);

begin('/inbox/v1/me').then(
  (answer) => {
    // Behind the answer: live events continue from what it says, so that the list misses none of them.
    if (answer.ok && isInbox) void begin(`${CONVERSATIONS}?limit=${FIRST}`);
  },
  () => {},
);
