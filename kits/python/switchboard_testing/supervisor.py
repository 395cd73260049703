"""Owns a program that several test processes share, and stops it when none of them is left."""

from __future__ import annotations

import os
import select
import sys
from pathlib import Path

from .errors import SwitchboardError
from .process import READY, Process, start
from .shared import STARTED, locked

LEASES = 0
ANSWER = 1


def main() -> None:
    directory, program = (Path(argument) for argument in sys.argv[1:3])
    # An interrupt from the keyboard goes to the test processes. This one ends after them.
    os.setsid()
    try:
        process = start(program, directory)
    except SwitchboardError as error:
        os.write(ANSWER, str(error).encode())
        sys.exit(1)
    os.write(ANSWER, STARTED.encode())
    # The process that asked reads the answer to its end.
    os.dup2(2, ANSWER)
    try:
        _until_no_lease_is_left(directory, process)
    finally:
        process.stop()


def _until_no_lease_is_left(directory: Path, process: Process) -> None:
    os.set_blocking(LEASES, True)
    while True:
        while os.read(LEASES, 1):
            pass
        try:
            with locked(directory):
                # A process may have taken a lease since; with the lock, none does.
                if _has_lease():
                    continue
                (directory / READY).unlink(missing_ok=True)
                # With the lock, so that the next program writes the files of this directory after this one.
                process.stop()
                return
        except FileNotFoundError:
            # The directory was removed: no process can find this program any more.
            return


def _has_lease() -> bool:
    leases = select.poll()
    leases.register(LEASES, 0)
    return not leases.poll(0)
