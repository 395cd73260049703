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
  const line = await context.newCDPSession(page);
  const heard = [];
  for (const kind of ['requestWillBeSent', 'responseReceived', 'dataReceived', 'loadingFinished', 'loadingFailed']) {
    line.on(`Network.${kind}`, (event) => heard.push({ kind, event }));
  }
  await line.send('Network.enable');
  await line.send('Network.clearBrowserCache');
  await line.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: LINE.latency,
    downloadThroughput: LINE.down / 8,
    uploadThroughput: LINE.up / 8,
  });
  await page.addInitScript(noteFirst, selector);
  await page.goto(address, { waitUntil: 'commit' });
  const visible = await (await page.waitForFunction(() => window.visibleAt)).jsonValue();
  const files = received(heard, visible.at / 1000);
  await page.close();
  return { took: visible.took, files, bytes: files.reduce((sum, file) => sum + file.bytes, 0) };
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
