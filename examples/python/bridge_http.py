"""The address of the bridge: it reads whole requests, whoever sends them, and survives all of them."""

import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from bridge_store import log

BODY_MAX = 4 << 20
DRAIN_MAX = 64 << 20


class Requests(BaseHTTPRequestHandler):
    timeout = 30  # In seconds, for each read.
    bridge = None

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal():
            self.answer(411)
        elif int(length) > BODY_MAX:
            self.drain(min(int(length), DRAIN_MAX))
            self.answer(413)
        else:
            body = self.bridge.read_body(self.rfile, int(length))
            if len(body) == int(length):  # Otherwise the sender has gone.
                self.work("POST", body)

    def do_GET(self):
        self.work("GET", b"{}")

    def do_PUT(self):
        self.answer(405)

    do_DELETE = do_PATCH = do_HEAD = do_OPTIONS = do_PUT

    def work(self, method, body):
        target = urlsplit(self.path)
        try:
            if self.bridge.has_exam and target.path.startswith("/exam/"):
                status, text = self.bridge.on_exam(method, target.path, body)
            elif method == "POST":
                status, text = self.post(body), ""
            else:
                query = {name: values[0] for name, values in parse_qs(target.query).items()}
                status, text = self.bridge.on_browser(query)
        except Exception as error:  # For example a full disk: the sender tries again.
            log(f"{method} {target.path[:200]!r} failed: {error!r}")
            status, text = 503, ""
        self.answer(status, text)

    def post(self, body):
        return self.bridge.on_callback(self.headers, body)

    def drain(self, rest):
        """Reads a body that is too long: a sender in the middle of it would not see the answer."""
        while rest > 0:
            chunk = self.rfile.read1(min(rest, 1 << 16))
            rest = rest - len(chunk) if chunk else 0

    def answer(self, status, text=""):
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json" if text.startswith(("[", "{")) else "text/plain")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def log_message(self, *_):
        """Requests are not in the log: codes and signatures are in their addresses."""


class Server(ThreadingHTTPServer):
    request_queue_size = 1024

    def handle_error(self, request, client_address):
        """A connection that broke is the sender's business: it sends the callback again."""


def serve(bridge, kind=Requests):
    kind.bridge = bridge
    Server(("127.0.0.1", int(os.environ.get("PORT", 9001))), kind).serve_forever()
