from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]


@pytest.fixture
def fake_program(tmp_path: Path):
    """Makes a program that is a shell script. `$ready` in it is the path of the ready file."""

    def make(script: str) -> Path:
        path = tmp_path / "fake" / "switchboard"
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\nready=$6\n{script}\n")
        path.chmod(0o755)
        return path

    return make
