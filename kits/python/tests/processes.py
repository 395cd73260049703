"""What the tests ask of other processes."""

from __future__ import annotations

import functools
import os
import select
import subprocess
import sys
from pathlib import Path

# The time limit of every wait of a test: far longer than any machine needs that is only slow.
SECONDS = 120


def wait_for_end(pid: int) -> None:
    """Returns when the process has ended."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        ended, _, _ = select.select([handle], [], [], SECONDS)
    finally:
        os.close(handle)
    assert ended, f"the process {pid} still runs"


def runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def parent_of(pid: int) -> int:
    # The name of the program, in parentheses, may have spaces.
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


class Holder:
    """Another Python process that runs `code`, prints one line, and then stays until it is killed."""

    def __init__(self, code: str, *arguments: object) -> None:
        command = [sys.executable, "-c", f"import sys\n{code}\nsys.stdout.flush()\nsys.stdin.read()"]
        command += [str(argument) for argument in arguments]
        self._popen = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    @functools.cached_property
    def line(self) -> str:
        return self._popen.stdout.readline().strip()

    def kill(self) -> None:
        self._popen.kill()
        self._popen.wait()

    def __enter__(self) -> Holder:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        self._popen.stdin.close()
        self._popen.stdout.close()
