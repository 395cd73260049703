from __future__ import annotations

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]


@pytest.fixture
def fake_program(tmp_path: Path):
    """Makes a program that is a shell script. It writes `ready` into the ready file before it runs `script`."""

    def make(script: str, ready: str | None = None) -> Path:
        write = f"echo '{ready}' >$6.new; mv $6.new $6" if ready else ""
        path = tmp_path / "fake" / "switchboard"
        path.parent.mkdir()
        path.write_text(f"#!/bin/sh\n{write}\n{script}\n")
        path.chmod(0o755)
        return path

    return make
