// The first file that runs. It is small, and requests what the first page shows while the rest of the code arrives: who is
// signed in, the words of their language, and the conversations where the page lists them.

import { begin, beginLive } from './api/begun';
import { CONVERSATIONS, FIRST } from './areas/inbox/list/question';
import { wanted } from './words/wanted';

void begin('/inbox/v1/me');
if (/^\/(conversations(\/[^/]*)?)?$/.test(location.pathname) && !/[?&](show|responsible|status|channel|tag|view|q)=/.test(location.search)) beginLive(`${CONVERSATIONS}?limit=${FIRST}`);

// Whoever shows these words hears of a failure.
if (wanted === 'ru') import('./words/words-ru').catch(() => {});
if (wanted === 'es') import('./words/words-es').catch(() => {});
