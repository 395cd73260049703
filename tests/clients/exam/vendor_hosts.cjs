// Leads a Node program, which nobody has changed, to the world of the exam: calls to hosts of the counterpart go to
// SWITCHBOARD_URL, those to OUTSIDE_HOST go to OUTSIDE_URL. Node before 24.5 reads no proxy from its variables. A server that
// names no address listens on loopback.
'use strict';
const http = require('http');
const https = require('https');
const net = require('net');
const { syncBuiltinESMExports } = require('module');

const VENDOR = /\.(amocrm\.ru|amocrm\.com|kommo\.com)$/;

function base(host) {
  if (VENDOR.test(host)) return new URL(process.env.SWITCHBOARD_URL);
  if (host && host === process.env.OUTSIDE_HOST) return new URL(process.env.OUTSIDE_URL);
  return null;
}

const ownFetch = globalThis.fetch;
globalThis.fetch = (resource, options) => {
  const url = new URL(resource);
  const place = base(url.hostname);
  return ownFetch(place ? new URL(url.pathname + url.search, place) : resource, options);
};

const ownRequest = https.request;
https.request = (options, ...rest) => {
  const place = typeof options.hostname === 'string' && base(options.hostname);
  if (!place) return ownRequest(options, ...rest);
  const { agent, host, ...kept } = options;
  return http.request({ ...kept, protocol: 'http:', hostname: place.hostname, port: place.port }, ...rest);
};

const ownListen = net.Server.prototype.listen;
net.Server.prototype.listen = function listen(port, ...rest) {
  const names = typeof rest[0] === 'string' || !/^\d+$/.test(String(port));
  return names ? ownListen.call(this, port, ...rest) : ownListen.call(this, Number(port), '127.0.0.1', ...rest);
};
syncBuiltinESMExports();
