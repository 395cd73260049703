// How a decision gets to the client: its page is opened here, or in the window that opened this one, or is told.

const PASSED_ON = ['code', 'state', 'referer', 'client_id', 'platform', 'error'] as const;

/** What is told to a page of the client: the parameters of the redirect. */
function toldIn(address: URL): Record<string, string> {
  const found = PASSED_ON.flatMap((name): [string, string][] => {
    // The address of the client may have parameters of its own; the service writes behind them.
    const value = address.searchParams.getAll(name).at(-1);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(found);
}

/**
 * Brings the redirect to the client as it wished. Says whether this window is no longer needed. With `post_message` the
 * client's page opens in this window and reports to its opener by itself; only a denial is a message from here.
 */
export function leave(location: string, mode: string | null): boolean {
  const opener = window.opener as Window | null;
  const isOpened = opener !== null && !opener.closed;
  const address = new URL(location);
  if (isOpened && mode === 'popup') {
    opener.location.href = location;
  } else if (isOpened && mode === 'post_message' && address.searchParams.has('error')) {
    // Whoever opened this window gets the denial only as a page of the client.
    opener.postMessage(toldIn(address), address.origin);
  } else {
    window.location.assign(location);
    return false;
  }
  window.close();
  return true;
}
