"""The tested program: its variables, its start, its output and its end."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import time

import pytest
from processes import SECONDS

from switchboard_testing import StartFailed

BOT = textwrap.dedent(
    """
    import http.server, os, subprocess, sys
    class Bot(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            self.rfile.read(int(self.headers["Content-Length"]))
            print("a callback at", self.path, flush=True)
            self.send_response(200)
            self.end_headers()
        def log_message(self, *_):
            pass
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    print("child", child.pid, os.environ["SWITCHBOARD_SCOPE_ID"], os.environ["OWN"], flush=True)
    http.server.HTTPServer(("127.0.0.1", int(os.environ["PORT"])), Bot).serve_forever()
    """
)


def runs(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def gone(*pids: int) -> None:
    """Waits until these have ended: the system takes a moment for what is killed."""
    deadline = time.monotonic() + SECONDS
    while any(runs(pid) for pid in pids):
        assert time.monotonic() < deadline, "the program outlives its test run"
        time.sleep(0.01)


def test_callbacks_reach_the_program_and_it_ends_with_its_world(switchboard):
    with switchboard.open_world() as world:
        program = world.program([sys.executable, "-c", BOT], path="/hook", env={"OWN": "yes"})
        world.customer("bo").says("Have you any tulips?")
        world.user("ada").replies("Red ones.", to="bo")
        world.wait("callback.delivered")
        line = program.output().splitlines()[0].split()
        assert line[2:] == [world.scope_id, "yes"]
        assert "a callback at /hook" in program.output()
        child = int(line[1])
        assert runs(program.pid) and runs(child)
    assert not runs(program.pid)
    gone(child)
    assert "a callback at /hook" in program.output(), "it can be read afterwards, too"
    program.stop()


def test_a_program_that_does_not_end_by_itself_is_killed(switchboard, monkeypatch):
    monkeypatch.setattr("switchboard_testing.tested.STOP_SECONDS", 0.2)
    deaf = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + BOT
    with switchboard.open_world() as world:
        program = world.program([sys.executable, "-c", deaf], env={"OWN": ""})
    assert not runs(program.pid)


def test_a_program_ends_with_a_test_run_that_is_killed(tmp_path):
    pids = tmp_path / "pids"
    run = f"""
import os, signal, sys
from switchboard_testing import Switchboard
with Switchboard.start() as switchboard, switchboard.open_world() as world:
    program = world.program([sys.executable, "-c", {BOT!r}], env={{"OWN": ""}})
    open({str(pids)!r}, "w").write(f"{{program.pid}} {{program.output().split()[1]}}")
    os.kill(os.getpid(), signal.SIGKILL)
"""
    subprocess.run([sys.executable, "-c", run], timeout=SECONDS)
    gone(*map(int, pids.read_text().split()))


def test_why_a_program_did_not_start_is_in_the_error(world):
    for command, words in [
        ([sys.executable, "-c", "print('no database'); raise SystemExit(3)"], ["the code 3", "no database"]),
        (["/no/such/program"], ["the code 127", "not found"]),
    ]:
        with pytest.raises(StartFailed) as failed:
            world.program(command)
        assert all(word in str(failed.value) for word in words), failed.value
    with pytest.raises(StartFailed, match="accepted no connection within 0.3 s"):
        world.program([sys.executable, "-c", "import time; time.sleep(600)"], seconds=0.3)


def test_a_failed_test_shows_the_output_and_none_of_the_kit(pytester):
    pytester.makepyfile(
        f"""
        import sys

        def test_fails(world):
            world.program([sys.executable, "-c", {BOT!r}], env={{"OWN": "loud"}})
            world.wait("callback.delivered")
        """
    )
    done = pytester.runpytest_inprocess()
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*NotMet*was not met*", "*output of the program*", "child * loud"])
    done.stdout.no_fnmatch_line("*_client.json*")
    done.stdout.no_fnmatch_line("*def wait*")


def test_a_mistyped_state_is_told_in_a_line(pytester):
    pytester.makepyfile('def test_fails(world):\n    world.wait("callback.deliverd")\n')
    done = pytester.runpytest_inprocess()
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*until: there is no state «callback.deliverd»*callback.delivered*"])
    done.stdout.no_fnmatch_line("*Query deserialize error*")
    done.stdout.no_fnmatch_line("*connection.request*")


def test_a_world_with_ids_of_its_own(switchboard):
    pipeline = {"id": 3177727, "name": "Sales", "unsorted_id": 50, "stages": [{"id": 60, "name": "First call"}]}
    with switchboard.open_world(
        subdomain=f"kit-{os.getpid()}",
        channel_id="built-in",
        phone_field_id=264911,
        email_field_id=264913,
        pipelines=[pipeline],
        users=[{"name": "ada", "id": 8238142}],
        lead_fields=[{"id": 1038499, "name": "Answer", "type": "textarea", "code": "ANSWER"}],
        contact_fields=[{"id": 1038500, "name": "City", "type": "text"}],
        salesbots=[{"id": 70001, "name": "Answer", "kind": "send_field", "field_id": 1038499}],
    ) as world:
        assert world.account.subdomain == f"kit-{os.getpid()}"
        assert world.channel.id == "built-in"
        assert world.scope_id.startswith("built-in_")
        world.customer("bo").says("Hi")
        world.wait("lead.stage", stage=50)
