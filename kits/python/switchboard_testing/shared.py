"""One program for several test processes, such as the workers of pytest-xdist.

The first process that needs the program starts a supervisor, which owns it. Each test process holds a lease: the
writing end of a FIFO that the supervisor reads. The kernel closes it when its process ends, in whatever way. When no
lease is left, the supervisor reads the end of the file and stops the program.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import io
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

from . import held
from .errors import StartFailed
from .find import find_program
from .process import LOG, READY, tail

LOCK = "lock"
LEASE = "lease"
SUPERVISOR_LOG = "supervisor.log"
STARTED = "started"


class SharedProcess:
    """A running program that other test processes use too. `stop` gives back the lease of this process."""

    def __init__(self, program: Path, lease: io.FileIO, directory: Path) -> None:
        self.program = program
        self.ready: dict = json.loads((directory / READY).read_text("utf-8"))
        self.log = directory / LOG
        self._lease = lease

    def state(self) -> str:
        return "Several test processes share the program."

    def stop(self) -> None:
        self._lease.close()


def share(directory: Path, program: Path | None = None) -> SharedProcess:
    """The program of this directory: the one that runs, else a new one."""
    directory.mkdir(parents=True, exist_ok=True)
    program = program or find_program()
    with locked(directory):
        lease = _join(directory) or _begin(directory, program)
        held.close_in_forked_children(lease)
        return SharedProcess(program, lease, directory)


@contextlib.contextmanager
def locked(directory: Path) -> Iterator[None]:
    """Only one process at a time starts, joins or ends the program of this directory."""
    with open(directory / LOCK, "ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _join(directory: Path) -> io.FileIO | None:
    if not (directory / READY).exists():
        return None
    try:
        return io.FileIO(os.open(directory / LEASE, os.O_WRONLY | os.O_NONBLOCK), "wb")
    except FileNotFoundError:
        return None
    except OSError as error:
        # No process reads the FIFO: the supervisor was killed, and the program with it.
        if error.errno == errno.ENXIO:
            return None
        raise


def _begin(directory: Path, program: Path) -> io.FileIO:
    for name in (READY, LEASE):
        (directory / name).unlink(missing_ok=True)
    os.mkfifo(directory / LEASE, 0o600)
    # The lease exists before the supervisor does, so that the supervisor never finds the FIFO without one.
    reading = os.open(directory / LEASE, os.O_RDONLY | os.O_NONBLOCK)
    lease = io.FileIO(os.open(directory / LEASE, os.O_WRONLY), "wb")
    answer, answering = os.pipe()
    try:
        supervisor = _spawn(directory, program, reading, answering)
    finally:
        os.close(reading)
        os.close(answering)
    with os.fdopen(answer, encoding="utf-8") as file:
        said = file.read().strip()
    if said != STARTED:
        lease.close()
        os.waitpid(supervisor, 0)
        raise StartFailed(said or f"The supervisor of {program} ended. {tail(directory / SUPERVISOR_LOG)}")
    return lease


def _spawn(directory: Path, program: Path, lease: int, answer: int) -> int:
    package = Path(__file__).parent
    code = f"from {package.name}.supervisor import main; main()"
    paths = [str(package.parent), os.environ.get("PYTHONPATH", "")]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in paths if path)}
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    # Not `subprocess`: the supervisor outlives this process when other test processes hold leases.
    return os.posix_spawn(
        sys.executable,
        [sys.executable, "-c", code, str(directory), str(program)],
        environment,
        file_actions=[
            (os.POSIX_SPAWN_DUP2, lease, 0),
            (os.POSIX_SPAWN_DUP2, answer, 1),
            (os.POSIX_SPAWN_OPEN, 2, str(directory / SUPERVISOR_LOG), flags, 0o600),
        ],
    )
