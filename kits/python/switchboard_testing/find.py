"""Where the switchboard program is."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from .errors import ProgramNotFound

VARIABLE = "SWITCHBOARD_BIN"
NAME = "switchboard"
INSIDE = Path(__file__).parent / "bin" / NAME


def find_program() -> Path:
    """The program of the variable SWITCHBOARD_BIN, else the one inside this package, else the one in PATH."""
    if named := os.environ.get(VARIABLE):
        # A wrong variable is an error: another program in its place would test something else than was meant.
        if not _runs(Path(named)):
            raise ProgramNotFound(
                f"The variable {VARIABLE} is {named!r}, which is not an executable file. "
                f"Set it to the path of the {NAME} program, or remove it."
            )
        # The program starts in another working directory, where a relative path would lead elsewhere.
        return Path(named).absolute()
    if _runs(INSIDE):
        return INSIDE
    if found := shutil.which(NAME):
        return Path(found).absolute()
    raise ProgramNotFound(
        f"The {NAME} program was not found. The kit searched:\n"
        f"  1. the variable {VARIABLE}: it is not set\n"
        f"  2. this package: {INSIDE} does not exist or is not executable\n"
        f"  3. PATH: {os.environ.get('PATH', '')}\n"
        f"Install it with `cargo install --path .` in the Switchboard repository, or set {VARIABLE} to its path."
    )


def _runs(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)
