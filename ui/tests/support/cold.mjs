// How a page loads with nothing kept from before, over a slow line: what arrives until something is visible, and in how many
// round trips.

/** The line, and the most that a first page may cost on it. */
export const LINE = { latency: 150, down: 1_600_000, up: 750_000 };

/**
 * Opens an address in a page of its own, and waits until something is visible there. `files` has what was received until
 * it was in the document, headers included, in bytes: by path, each with how many round trips were over when it had arrived
 * at the earliest.
 */
export async function loadCold(context, address, selector) {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const heard = [];
  for (const kind of ['requestWillBeSent', 'responseReceived', 'dataReceived', 'loadingFinished', 'loadingFailed']) {
    session.on(`Network.${kind}`, (event) => heard.push({ kind, event }));
  }
  await session.send('Network.enable');
  await session.send('Network.clearBrowserCache');
  await page.addInitScript(noteFirst, selector);
  await page.goto(address, { waitUntil: 'commit' });
  const visible = await visibleAt(page).catch(async (failure) => {
    throw new Error(`${selector} of ${address} is not visible: ${failure.message}\n${await state(page, selector)}\n${unfinished(heard)}`);
  });
  const files = received(heard, visible.at / 1000);
  await page.close();
  return { took: visible.took, files, bytes: files.reduce((sum, file) => sum + file.bytes, 0) };
}

/** Waits until the page has noted when it became visible; a page that paints nothing is looked at, too. */
async function visibleAt(page) {
  return (await page.waitForFunction(() => window.visibleAt, undefined, { polling: 50 })).jsonValue();
}

/** What a page shows that should show something else. */
async function state(page, selector) {
  const read = (css) => ({
    selected: document.querySelectorAll(css).length,
    ready: document.readyState,
    visibility: document.visibilityState,
    text: document.body?.innerText.slice(0, 500),
  });
  return JSON.stringify(await page.evaluate(read, selector));
}

/** The requests that have no answer, or not a whole one, and those that were answered with an error. */
function unfinished(heard) {
  const lines = new Map();
  for (const { kind, event } of heard) {
    const { requestId, request, response, errorText } = event;
    if (kind === 'requestWillBeSent') lines.set(requestId, `${request.method} ${request.url}: no answer`);
    const line = lines.get(requestId)?.split(': ')[0];
    if (kind === 'responseReceived') lines.set(requestId, `${line}: ${response.status}, not to its end`);
    if (kind === 'loadingFailed') lines.set(requestId, `${line}: ${errorText}`);
    if (kind === 'loadingFinished' && lines.get(requestId)?.includes(': 200,')) lines.delete(requestId);
  }
  return [...lines.values()].join('\n');
}

/**
 * Notes when something is there, and how long it took until it was visible. Runs in the page: it may use nothing from here.
 * What arrives in between was not needed: a busy machine paints late, and the page goes on to fetch what comes next.
 */
function noteFirst(selector) {
  const look = () => {
    if (document.querySelector(selector) === null) return;
    watcher.disconnect();
    const at = performance.timeOrigin + performance.now();
    // The frame after the next begins when this one has been painted.
    requestAnimationFrame(() => requestAnimationFrame(() => (window.visibleAt = { took: performance.now(), at })));
  };
  const watcher = new MutationObserver(look);
  watcher.observe(document, { childList: true, subtree: true });
}

/** What had arrived at a time in seconds since 1970. */
function received(heard, end) {
  const files = new Map();
  let toWall = 0;
  let trips = 0;
  for (const { kind, event } of heard) {
    if (kind === 'requestWillBeSent') {
      toWall = event.wallTime - event.timestamp;
      files.set(event.requestId, { path: new URL(event.request.url).pathname, bytes: 0, trips: trips + 1 });
      continue;
    }
    const file = files.get(event.requestId);
    if (file === undefined || event.timestamp + toWall > end) continue;
    if (kind === 'responseReceived') file.bytes = event.response.encodedDataLength;
    if (kind === 'dataReceived') file.bytes += event.encodedDataLength;
    if (kind === 'loadingFinished') file.bytes = event.encodedDataLength;
    if (kind !== 'dataReceived') trips = Math.max(trips, file.trips);
  }
  return [...files.values()].filter(({ bytes }) => bytes > 0);
}

/** The middle one of these numbers. */
export const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
