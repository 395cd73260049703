from __future__ import annotations

import os
import signal

import pytest
from processes import Holder, runs, wait_for_end

from switchboard_testing import StartFailed, Switchboard, process

START = """
from pathlib import Path
from switchboard_testing import process
running = process.start(directory=Path(sys.argv[1]))
print(running.ready["pid"])
"""


def test_a_program_runs_until_it_is_stopped(tmp_path):
    running = process.start(directory=tmp_path)
    pid = running.ready["pid"]
    assert running.state() == "The program still runs."
    running.stop()
    assert not runs(pid)
    assert running.state() == "The program has ended with the code 0."


def test_stopping_twice_is_stopping_once():
    running = process.start()
    running.stop()
    running.stop()
    assert not runs(running.ready["pid"])


def test_a_program_without_a_directory_leaves_no_files():
    with Switchboard.start() as running:
        assert running.log.exists()
    assert not running.log.parent.exists()


def test_a_program_ends_with_the_process_that_started_it(tmp_path):
    with Holder(START, tmp_path) as holder:
        pid = int(holder.line)
        assert runs(pid)
        holder.kill()
        wait_for_end(pid)


def test_a_forked_child_does_not_keep_the_program_running(tmp_path):
    running = process.start(directory=tmp_path)
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(writing)
        os.read(reading, 1)
        os._exit(0)
    try:
        running.stop()
        # By itself, when its input closed: not by a signal.
        assert running.state() == "The program has ended with the code 0."
    finally:
        os.close(reading)
        os.close(writing)
        os.waitpid(child, 0)


def test_a_program_that_ends_at_once_is_reported_with_its_log(fake_program):
    program = fake_program("echo unrecognized subcommand >&2; exit 3")
    with pytest.raises(StartFailed) as caught:
        Switchboard.start(program)
    assert f"{program} ended with the code 3 before it was ready" in str(caught.value)
    assert "\n  unrecognized subcommand" in str(caught.value)


def test_a_program_that_is_not_ready_in_time_is_stopped(fake_program, monkeypatch, tmp_path):
    monkeypatch.setattr(process, "START_SECONDS", 0)
    program = fake_program(f"echo $$ > {tmp_path}/pid; exec cat")
    with pytest.raises(StartFailed, match="was not ready after 0 s"):
        Switchboard.start(program, tmp_path / "run")
    pid = (tmp_path / "pid").read_text().strip() if (tmp_path / "pid").exists() else None
    assert pid is None or not runs(int(pid))


def test_a_program_without_worlds_is_too_old(fake_program):
    program = fake_program("exec cat", ready='{"version": "0.0.1", "pid": 1}')
    with pytest.raises(StartFailed, match=r"version 0\.0\.1, which has no worlds"):
        Switchboard.start(program)


def test_a_file_that_the_system_cannot_execute_is_reported(tmp_path):
    program = tmp_path / "switchboard"
    program.write_bytes(b"\x7fELF")
    program.chmod(0o755)
    with pytest.raises(StartFailed, match="could not be executed"):
        Switchboard.start(program)


def test_a_program_that_does_not_end_by_itself_is_terminated(fake_program, monkeypatch):
    monkeypatch.setattr(process, "STOP_SECONDS", 0.1)
    program = fake_program("exec tail -f /dev/null", ready='{"version": "1", "pid": 1, "dev": {}}')
    running = process.start(program)
    running.stop()
    assert running.state() == f"The program has ended with the code {-signal.SIGTERM}."
