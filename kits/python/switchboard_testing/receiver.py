"""A receiver of callbacks and hooks on loopback, for tests without an application."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from .form import parse_form


@dataclass(frozen=True)
class Received:
    """One request to a receiver."""

    path: str
    headers: dict[str, str]
    body: bytes
    signature_is_right: bool
    answered: int

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def text(self) -> str | None:
        """The text of the message, or None when the callback is not about a message."""
        return self.json.get("message", {}).get("message", {}).get("text")


@dataclass(frozen=True)
class Hook:
    """One request of a webhook of the account. It has no signature."""

    path: str
    headers: dict[str, str]
    body: bytes
    answered: int

    @property
    def form(self) -> dict[str, Any]:
        """The form as a tree, such as `form["message"]["add"][0]["text"]`. All values are texts."""
        return parse_form(self.body)

    @property
    def request_id(self) -> str | None:
        """The same in every attempt."""
        return self.headers.get("x-amocrm-requestid")

    @property
    def attempt(self) -> int:
        """The number of the attempt, from 1."""
        return int(self.headers.get("x-delivery-attempt", "1"))


class Receiver:
    """Listens on loopback, checks the signature of each callback and records it. Records the hooks of the account, too.

    A callback with a wrong signature gets 403. Anything else gets `answer(path, body)`, a status; without it, 200.
    """

    def __init__(self, secret: str, answer: Callable[[str, bytes], int] | None = None, port: int = 0) -> None:
        self._secret = secret.encode()
        self._answer = answer or (lambda _path, _body: 200)
        self._requests: list[Received] = []
        self._hooks: list[Hook] = []
        self._server = _Server(("127.0.0.1", port), self._take)
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_port}/callbacks"

    @property
    def received(self) -> list[Received]:
        """The callbacks with a right signature, in the order of their arrival."""
        return [request for request in list(self._requests) if request.signature_is_right]

    @property
    def refused(self) -> list[Received]:
        """The requests with a wrong signature, which got 403."""
        return [request for request in list(self._requests) if not request.signature_is_right]

    @property
    def hooks(self) -> list[Hook]:
        """The hooks of the account, in the order of their arrival. `world.wait_for_hook` waits for them."""
        return list(self._hooks)

    @property
    def texts(self) -> list[str]:
        """The texts of the messages in `received`."""
        return [request.text for request in self.received if request.text is not None]

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def __enter__(self) -> Receiver:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _take(self, path: str, headers: dict[str, str], body: bytes) -> int:
        if _is_hook(headers):
            status = self._answer(path, body)
            self._hooks.append(Hook(path, headers, body, status))
            return status
        wanted = hmac.new(self._secret, body, hashlib.sha1).hexdigest()
        given = headers.get("x-signature", "")
        is_right = hmac.compare_digest(wanted.encode(), given.encode())
        status = self._answer(path, body) if is_right else 403
        # Before the answer: who waits for the delivery finds the callback here.
        self._requests.append(Received(path, headers, body, is_right, status))
        return status


def _is_hook(headers: dict[str, str]) -> bool:
    is_form = headers.get("content-type", "").startswith("application/x-www-form-urlencoded")
    is_of_webhook = headers.get("user-agent", "").startswith("amoCRM-Webhooks/")
    return is_form and is_of_webhook and "x-signature" not in headers


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, address: tuple[str, int], take: Callable[[str, dict[str, str], bytes], int]) -> None:
        self.take = take
        super().__init__(address, _Handler)


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    # A sender that stops in the middle does not hold a thread for ever.
    timeout = 30

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        status = self.server.take(self.path, headers, body)
        self.send_response(status)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Writes nothing: the journal of the world has every callback."""
