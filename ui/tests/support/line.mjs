// A slow line between a browser and a service, as a phone has one. The browser's own emulation of one loses requests on a busy
// machine: their answers never arrive.

import { connect, createServer } from 'node:net';

/** The longest piece that goes over the line at once, in bytes. */
const PIECE = 1_400;

/**
 * Opens a line to the service at an address: `latency` in milliseconds per round trip, `down` and `up` in bits per second. All
 * connections share it. `origin` is what a browser opens instead.
 */
export async function slowLine(address, { latency, down, up }) {
  const { hostname, port } = new URL(address);
  const sockets = new Set();
  const toBrowser = direction(down, 0);
  const toService = direction(up, latency);
  const server = createServer((browser) => {
    const service = connect(Number(port), hostname);
    join(browser, service, toService);
    join(service, browser, toBrowser);
    for (const socket of [browser, service]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
    }
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const close = () => {
    server.close();
    for (const socket of sockets) socket.destroy();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, close };
}

/**
 * One direction of a line: `pass` calls `then` when so many bytes have gone over it, behind those before. One timer at a time,
 * since two that are due in the same millisecond may fire in either order.
 */
function direction(bits, delay) {
  const waiting = [];
  let free = 0;
  const wake = () => setTimeout(arrive, waiting[0].due - performance.now());
  const arrive = () => {
    while (waiting.length > 0 && waiting[0].due <= performance.now()) waiting.shift().then();
    if (waiting.length > 0) wake();
  };
  return (bytes, then) => {
    free = Math.max(free, performance.now()) + (bytes * 8_000) / bits;
    waiting.push({ due: free + delay, then });
    if (waiting.length === 1) wake();
  };
}

/** Sends what comes from one end to the other. An end that closes or breaks closes the other behind what is on its way. */
function join(from, to, pass) {
  from.setNoDelay();
  from.on('data', (data) => {
    for (let at = 0; at < data.length; at += PIECE) {
      const piece = data.subarray(at, at + PIECE);
      pass(piece.length, () => to.writable && to.write(piece));
    }
  });
  from.on('error', () => from.destroy());
  from.on('close', () => pass(0, () => to.end()));
}
