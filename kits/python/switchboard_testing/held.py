"""Files that keep the program running while they are open.

A child that a test forks inherits them. It would then keep the program running after the tests, so it closes them.
"""

from __future__ import annotations

import os
import weakref
from typing import IO

_held: weakref.WeakSet[IO[bytes]] = weakref.WeakSet()


def close_in_forked_children(file: IO[bytes]) -> None:
    _held.add(file)


def _close() -> None:
    for file in list(_held):
        file.close()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close)
