from __future__ import annotations

import contextlib
import json
import os
import signal

import pytest
from processes import Holder, parent_of, runs, wait_for_end

from switchboard_testing import StartFailed
from switchboard_testing.shared import _join, locked, share

SHARE = """
from pathlib import Path
from switchboard_testing.shared import share
shared = share(Path(sys.argv[1]))
print(shared.ready["pid"])
"""


def test_two_processes_share_one_program_that_outlives_the_first(tmp_path):
    with Holder(SHARE, tmp_path) as first, Holder(SHARE, tmp_path) as second:
        assert first.line == second.line
        pid = int(first.line)
        first.kill()
        third = share(tmp_path)
        assert third.ready["pid"] == pid
        second.kill()
        assert runs(pid)
        third.stop()
        wait_for_end(pid)


def test_after_the_end_of_one_program_another_starts(tmp_path):
    first = share(tmp_path)
    first.stop()
    wait_for_end(first.ready["pid"])
    second = share(tmp_path)
    assert second.ready["pid"] != first.ready["pid"]
    second.stop()
    wait_for_end(second.ready["pid"])


def test_a_process_that_comes_just_after_the_last_one_has_a_program(tmp_path):
    first = share(tmp_path)
    pid = first.ready["pid"]
    with locked(tmp_path):
        # The supervisor finds no lease, and waits for the lock. Then it looks again.
        first.stop()
        lease = _join(tmp_path)
    second = share(tmp_path)
    assert second.ready["pid"] == pid
    assert runs(pid)
    lease.close()
    second.stop()
    wait_for_end(pid)


def test_many_processes_at_once_start_one_program(tmp_path):
    with contextlib.ExitStack() as holders:
        # None of them comes first by the time that it takes to start Python.
        with locked(tmp_path):
            many = [holders.enter_context(Holder(SHARE, tmp_path)) for _ in range(4)]
        assert len({holder.line for holder in many}) == 1
        pid = int(many[0].line)
        assert runs(pid)
    wait_for_end(pid)


def test_a_killed_supervisor_takes_the_program_with_it_and_another_starts(tmp_path):
    first = share(tmp_path)
    pid = first.ready["pid"]
    os.kill(parent_of(pid), signal.SIGKILL)
    wait_for_end(pid)
    second = share(tmp_path)
    assert second.ready["pid"] != pid
    assert runs(second.ready["pid"])
    first.stop()
    second.stop()
    wait_for_end(second.ready["pid"])


def test_an_interrupt_of_the_tests_does_not_reach_the_program(tmp_path):
    shared = share(tmp_path)
    assert os.getpgid(shared.ready["pid"]) != os.getpgrp()
    shared.stop()
    wait_for_end(shared.ready["pid"])


def test_a_program_that_does_not_start_is_reported_to_each_process(fake_program, tmp_path):
    program = fake_program("echo no such option; exit 2")
    for _ in range(2):
        with pytest.raises(StartFailed, match="ended with the code 2") as caught:
            share(tmp_path / "shared", program)
        assert "no such option" in str(caught.value)


def test_the_workers_of_xdist_share_one_program_that_ends_with_them(pytester):
    pytester.makepyfile(
        """
        import json, os, pathlib, time

        def test_notes_its_program(switchboard, world, worker_id):
            pid = json.loads((switchboard.log.parent / "ready.json").read_text())["pid"]
            here = pathlib.Path(__file__).parent
            (here / f"{worker_id}.json").write_text(json.dumps([pid, world.base_url]))
            # The program ends with its last user, so the first one waits for the other.
            end = time.monotonic() + 60
            while len(list(here.glob("gw*.json"))) < 2:
                assert time.monotonic() < end, "the other worker is not there"
                time.sleep(0.01)
        """
    )
    # Each worker runs each test.
    done = pytester.runpytest_subprocess("-n2", "--dist=each")
    done.assert_outcomes(passed=2)
    notes = [json.loads((pytester.path / f"gw{number}.json").read_text()) for number in range(2)]
    (first, first_url), (second, second_url) = notes
    assert first == second
    assert first_url != second_url
    wait_for_end(first)
