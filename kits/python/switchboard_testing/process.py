"""One process of the switchboard program, owned by the process that starts it."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import IO

from . import held
from .errors import StartFailed
from .find import find_program

START_SECONDS = 30
STOP_SECONDS = 10
READY = "ready.json"
LOG = "switchboard.log"


class Process:
    """A running program. It ends when `stop` is called, and when this process ends."""

    def __init__(self, program: Path, popen: subprocess.Popen, ready: dict, directory: Path, temporary: bool) -> None:
        self.program = program
        self.ready = ready
        self.log = directory / LOG
        self._popen = popen
        self._temporary = directory if temporary else None

    def state(self) -> str:
        """One sentence for errors: whether the program still runs."""
        code = self._popen.poll()
        return "The program still runs." if code is None else f"The program has ended with the code {code}."

    def stop(self) -> None:
        _end(self._popen)
        if self._temporary:
            shutil.rmtree(self._temporary, ignore_errors=True)


def start(program: Path | str | None = None, directory: Path | None = None) -> Process:
    """Starts the program and returns when it answers. Its files are in `directory`, else in a temporary one."""
    program = Path(program).absolute() if program else find_program()
    temporary = directory is None
    directory = Path(directory or tempfile.mkdtemp(prefix="switchboard-"))
    try:
        popen = _launch(program, directory)
        return Process(program, popen, _when_ready(popen, program, directory), directory, temporary)
    except BaseException:
        if temporary:
            shutil.rmtree(directory, ignore_errors=True)
        raise


def _launch(program: Path, directory: Path) -> subprocess.Popen:
    ready = directory / READY
    ready.unlink(missing_ok=True)
    # The program reads config.toml of its working directory, so this one is empty.
    work = directory / "work"
    work.mkdir(parents=True, exist_ok=True)
    command = [str(program), "dev", "--ephemeral", "--listen", "127.0.0.1:0", "--ready-file", str(ready)]
    command += ["--stop-with-stdin"]
    with open(directory / LOG, "wb") as log:
        try:
            popen = subprocess.Popen(
                command, cwd=work, stdin=subprocess.PIPE, stdout=log, stderr=subprocess.STDOUT, bufsize=0
            )
        except OSError as error:
            raise StartFailed(f"{program} could not be executed: {error}.") from error
    held.close_in_forked_children(_input(popen))
    return popen


def _when_ready(popen: subprocess.Popen, program: Path, directory: Path) -> dict:
    ready = directory / READY
    deadline = time.monotonic() + START_SECONDS
    try:
        while not ready.exists():
            if popen.poll() is not None:
                raise StartFailed(
                    f"{program} ended with the code {popen.returncode} before it was ready. {tail(directory / LOG)}"
                )
            if time.monotonic() > deadline:
                raise StartFailed(f"{program} was not ready after {START_SECONDS} s. {tail(directory / LOG)}")
            # The program has no other sign than the file. Starting takes some hundredths of a second.
            time.sleep(0.005)
        facts = json.loads(ready.read_text("utf-8"))
        if "dev" not in facts:
            raise StartFailed(
                f"{program} has version {facts.get('version', 'unknown')}, which has no worlds. Use a newer program."
            )
        return facts
    except BaseException:
        _end(popen)
        raise


def _end(popen: subprocess.Popen) -> None:
    _input(popen).close()
    # A program that does not end by itself is stopped, so that no test run leaves one behind.
    for stronger in (popen.terminate, popen.kill):
        try:
            popen.wait(STOP_SECONDS)
            return
        except subprocess.TimeoutExpired:
            stronger()
    popen.wait()


def _input(popen: subprocess.Popen) -> IO[bytes]:
    """The input of the program, which is a pipe: the program ends when the pipe is closed."""
    assert popen.stdin is not None
    return popen.stdin


def tail(log: Path, lines: int = 20) -> str:
    """The last lines of a log, for errors."""
    try:
        last = log.read_text("utf-8", "replace").splitlines()[-lines:]
    except OSError as error:
        return f"Its log {log} cannot be read: {error}."
    if not last:
        return f"Its log {log} is empty."
    return "\n  ".join([f"The last lines of its log {log}:", *last])
