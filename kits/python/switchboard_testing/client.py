"""Requests to the API of worlds. No request is ever repeated."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode, urlsplit

from .errors import ApiError, NoAnswer

SECONDS = 30
# A wait, and an advance of the clock, answer when the callbacks on the way have been answered.
LONG_SECONDS = 60


class Client:
    def __init__(self, url: str, token: str, explain: Callable[[], str]) -> None:
        """`explain` gives the state of the program when a request gets no answer."""
        parts = urlsplit(url)
        self._host, self._port, self._base = parts.hostname or "", parts.port, parts.path
        self._token = token
        self._explain = explain

    def json(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        seconds: float = SECONDS,
    ) -> Any:
        __tracebackhide__ = True
        return json.loads(self.text(method, path, body, query, seconds))

    def text(
        self,
        method: str,
        path: str,
        body: Any = None,
        query: Mapping[str, Any] | None = None,
        seconds: float = SECONDS,
    ) -> str:
        __tracebackhide__ = True
        given = {name: value for name, value in (query or {}).items() if value is not None}
        target = self._base + path + (f"?{urlencode(given)}" if given else "")
        request = f"{method} {target}"
        headers = {"Authorization": f"Bearer {self._token}", "Connection": "close"}
        data = None
        if body is not None:
            data = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        # A connection per request: it goes to loopback, without a proxy, and no request meets a connection that is
        # about to close.
        connection = http.client.HTTPConnection(self._host, self._port, timeout=seconds)
        try:
            connection.request(method, target, data, headers)
            answer = connection.getresponse()
            status, content = answer.status, answer.read()
        except socket.timeout as error:  # until Python 3.9 it is no TimeoutError
            raise NoAnswer(f"{request} got no answer within {seconds} s. {self._explain()}") from error
        except (OSError, http.client.HTTPException) as error:
            reason = f"{type(error).__name__}: {error}"
            raise NoAnswer(f"{request} got no answer ({reason}). {self._explain()}") from error
        finally:
            connection.close()
        if status >= 300:
            raise ApiError(request, status, _problem(content))
        return content.decode("utf-8")


def _problem(content: bytes) -> dict:
    try:
        problem = json.loads(content)
    except ValueError:
        problem = None
    if isinstance(problem, dict):
        return problem
    return {"title": "The answer is no problem document", "detail": content.decode("utf-8", "replace")[:500]}
