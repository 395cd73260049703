"""The wheel with a program inside. pip fetches setuptools, so this test needs a package index."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

from switchboard_testing.find import find_program

BUILD = Path(__file__).parents[1] / "build-wheel"

# Neither the variable nor PATH leads to a program.
USE = """
import os, switchboard_testing
os.environ["PATH"] = ""
with switchboard_testing.Switchboard.start() as running, running.open_world() as world:
    world.customer("bo").says("From the wheel")
    print(world.messages("bo")[0].text)
"""


def run(*command: object, **more: object) -> subprocess.CompletedProcess:
    environment = {name: value for name, value in os.environ.items() if name not in ("SWITCHBOARD_BIN", "PYTHONPATH")}
    return subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, env=environment, check=False, **more
    )


def test_an_installed_wheel_has_all_that_a_test_needs(tmp_path):
    program = find_program()
    built = run(sys.executable, BUILD, program, tmp_path)
    assert built.returncode == 0, built.stderr
    wheel = Path(built.stdout.strip())
    assert wheel.parent == tmp_path
    assert "-py3-none-manylinux_2_" in wheel.name
    with zipfile.ZipFile(wheel) as content:
        assert not [name for name in content.namelist() if not name.startswith("switchboard_testing")]

    fresh = tmp_path / "fresh"
    venv.create(fresh, with_pip=True)
    python = fresh / "bin" / "python"
    installed = run(python, "-m", "pip", "install", "--no-index", wheel)
    assert installed.returncode == 0, installed.stderr
    used = run(python, "-c", USE, cwd=tmp_path)
    assert (used.stdout.strip(), used.stderr) == ("From the wheel", "")


def test_a_missing_program_is_reported(tmp_path):
    done = run(sys.executable, BUILD, tmp_path / "nothing", tmp_path)
    assert done.returncode == 1
    assert done.stderr.startswith(f"build-wheel: there is no program at {tmp_path}/nothing. Build it with `cargo build")


def test_a_file_that_is_no_program_of_linux_is_refused(tmp_path):
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    done = run(sys.executable, BUILD, script, tmp_path)
    assert (done.returncode, done.stderr) == (1, f"build-wheel: {script} is not a 64-bit Linux program.\n")
    assert list(tmp_path.glob("*.whl")) == []
