"""The program that is tested: it gets what it needs to know of its world, and ends with the world."""

from __future__ import annotations

import atexit
import os
import signal
import socket
import tempfile
import time
from collections.abc import Mapping, Sequence
from typing import Any

from .errors import StartFailed
from .group import signal_group, start_group

START_SECONDS = 30
STOP_SECONDS = 5
# How often a port or an end is looked for: nothing reports either.
LOOK_SECONDS = 0.01
OUTPUT_BYTES = 20_000


class Program:
    """A tested program that accepts connections. Callbacks of its world go to `url`."""

    def __init__(
        self,
        facts: Mapping[str, Any],
        command: Sequence[str | os.PathLike],
        path: str = "/",
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike | None = None,
        seconds: float = START_SECONDS,
    ) -> None:
        __tracebackhide__ = True
        self.port = _free_port()
        self.url = f"http://127.0.0.1:{self.port}{path}"
        self._command = [os.fspath(word) for word in command]
        self._shown = " ".join(map(str, self._command))
        self._output = tempfile.TemporaryFile(prefix="switchboard-program-")
        environment = {**os.environ, **variables(facts, self.port), **(env or {})}
        try:
            self._popen = start_group(self._command, environment, cwd, self._output)
        except OSError as error:
            self._output.close()
            raise StartFailed(f"The program «{self._shown}» could not be executed: {error}.") from None
        self.pid = self._popen.pid
        atexit.register(self.stop)
        try:
            self._wait_for_port(seconds)
        except BaseException:
            self.stop()
            raise

    def __repr__(self) -> str:
        return f"<Program «{self._shown}» at {self.url}>"

    def output(self) -> str:
        """The end of what the program has written to its standard output and error."""
        if self._output.closed:
            return self._last
        size = os.fstat(self._output.fileno()).st_size
        content = os.pread(self._output.fileno(), OUTPUT_BYTES, max(0, size - OUTPUT_BYTES))
        return content.decode("utf-8", "replace")

    def stop(self) -> None:
        """Ends the program and all that it has started: with SIGTERM, and after 5 seconds with SIGKILL."""
        atexit.unregister(self.stop)
        if self._output.closed:
            return
        if self._popen.returncode is None:
            signal_group(self._popen, signal.SIGTERM)
            deadline = time.monotonic() + STOP_SECONDS
            # The process is not reaped before its group has ended, so no other process has its number.
            while time.monotonic() < deadline and not self._has_ended():
                time.sleep(LOOK_SECONDS)
        signal_group(self._popen, signal.SIGKILL)
        self._popen.wait()
        assert self._popen.stdin is not None
        self._popen.stdin.close()
        self._last = self.output()
        self._output.close()

    def _wait_for_port(self, seconds: float) -> None:
        __tracebackhide__ = True
        deadline = time.monotonic() + seconds
        while not _accepts(self.port):
            why = None
            if self._has_ended():
                signal_group(self._popen, signal.SIGKILL)
                why = f"ended with the code {self._popen.wait()} before it accepted connections"
            elif time.monotonic() > deadline:
                why = f"accepted no connection within {seconds} s"
            if why:
                raise StartFailed(
                    f"The program «{self._shown}» {why} on port {self.port} (PORT).\n{shown(self.output())}"
                )
            time.sleep(LOOK_SECONDS)

    def _has_ended(self) -> bool:
        if self._popen.returncode is not None:
            return True
        return os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def variables(facts: Mapping[str, Any], port: int) -> dict[str, str]:
    """What the program needs to know: the variables of scenario files."""
    client = facts["oauth_client"]
    return {
        "PORT": str(port),
        "SWITCHBOARD_URL": facts["base_url"],
        "SWITCHBOARD_ACCOUNT_ID": facts["account"]["id"],
        "SWITCHBOARD_CHANNEL_ID": facts["channel"]["id"],
        "SWITCHBOARD_SCOPE_ID": facts["scope_id"],
        "SWITCHBOARD_CHANNEL_SECRET": facts["channel"]["secret"],
        "SWITCHBOARD_USER_TOKEN": facts["users"][0]["token"],
        "SWITCHBOARD_CLIENT_ID": client["id"],
        "SWITCHBOARD_CLIENT_SECRET": client["secret"],
        "SWITCHBOARD_REDIRECT_URI": client["redirect_uri"],
        "SWITCHBOARD_CODE": client["code"],
    }


def shown(output: str) -> str:
    """What a program has written, for people."""
    return f"Its output:\n{output.rstrip()}" if output.strip() else "It has written nothing."


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True
