"""A group of processes that ends with the process of the test."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from typing import IO

from . import held

# Leads the group. When its input closes, the process of the test has ended, and the group ends too.
LEADER = """\
trap : TERM
exec 3<&0 </dev/null
"$@" 3<&- &
program=$!
{ trap - TERM; cat <&3 >/dev/null; kill -s KILL 0; } 2>/dev/null &
exec 3<&-
while :; do wait "$program"; code=$?; kill -0 "$program" 2>/dev/null || exit "$code"; done
"""


def start_group(
    command: Sequence[str | os.PathLike],
    env: Mapping[str, str],
    cwd: str | os.PathLike | None,
    output: IO[bytes],
    errors: IO[bytes] | int = subprocess.STDOUT,
) -> subprocess.Popen:
    """Starts a program in a group of its own: what it starts ends with it."""
    popen = subprocess.Popen(
        ["sh", "-c", LEADER, "sh", *command],
        env=env,
        cwd=cwd,
        stdin=subprocess.PIPE,
        bufsize=0,
        stdout=output,
        stderr=errors,
        start_new_session=True,
    )
    assert popen.stdin is not None
    held.close_in_forked_children(popen.stdin)
    return popen


def signal_group(popen: subprocess.Popen, number: signal.Signals) -> None:
    try:
        os.killpg(popen.pid, number)
    except (ProcessLookupError, PermissionError):
        # Nothing of it is left.
        pass
