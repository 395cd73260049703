"""The exam, run from a test: its report, its failure, its own errors, and its end."""

from __future__ import annotations

from pathlib import Path

import pytest
from processes import SECONDS, Holder, parent_of, wait_for_end

from switchboard_testing import ExamFailed, ExamNotRun, Switchboard

ROOT = Path(__file__).resolve().parents[3]
BRIDGE = ["python3", ROOT / "examples/python/bridge.py"]
BOT = ["python3", ROOT / "examples/python/bot.py"]
# It does a callback again that comes again.
PLANTED = ["python3", ROOT / "exam/planted/b09.py"]


def test_a_bridge_passes_and_its_report_has_the_rules(switchboard):
    report = switchboard.exam(BRIDGE, only=[1, 9, 25], waive={25: "no buttons: yet"}, strict=True)
    assert report.headline == "2 hold, 0 break, 0 warn, 0 not tried, 1 waived"
    assert report.text.startswith(report.headline + "\n")
    verdicts = {number: rule.verdict for number, rule in report.rules.items()}
    assert verdicts == {1: "holds", 9: "holds", 25: "waived"}
    assert report.rules[9].title == "It does a callback once that comes again"
    assert report.rules[9].page == "docs/exam/09.md"
    assert report.rules[25].why == "no buttons: yet"
    assert report.document["exam_version"] == 1


def test_further_flags_write_other_reports(switchboard, tmp_path):
    report = switchboard.exam(BRIDGE, only=[1], flags=["--html=exam.html", "--seed=7"], cwd=tmp_path)
    assert report.rules[1].verdict == "holds"
    assert report.rules[1].title in (tmp_path / "exam.html").read_text("utf-8")


def test_a_bot_is_examined_at_its_paths(switchboard):
    hooks_path = "/hooks?k=7d1f"
    env = {"HOOKS_PATH": hooks_path}
    report = switchboard.exam(" ".join(map(str, BOT)), profile="bot", only=[45], hooks_path=hooks_path, jobs=1, env=env)
    assert report.rules[45].verdict == "holds"


def test_a_broken_rule_fails_with_what_to_do(switchboard):
    with pytest.raises(ExamFailed) as failed:
        switchboard.exam(PLANTED, only=[1, 9])
    assert isinstance(failed.value, AssertionError)
    rule = failed.value.report.rules[9]
    assert rule.verdict == "breaks"
    assert "was done more than once" in rule.why
    assert failed.value.report.rules[1].verdict == "holds"
    shown = str(failed.value)
    for words in ("b09.py» does not pass", "1 hold, 1 break", rule.title, rule.why, f"Do: {rule.advice}", "See docs/exam/09.md"):
        assert words in shown


def test_a_failed_test_shows_the_report_and_none_of_the_kit(pytester):
    pytester.makepyfile(f"def test_fails(switchboard):\n    switchboard.exam({list(map(str, PLANTED))!r}, only=[9])\n")
    done = pytester.runpytest_inprocess()
    done.assert_outcomes(failed=1)
    done.stdout.fnmatch_lines(["*ExamFailed: *does not pass the exam*", "*breaks     9  It does a callback once*"])
    done.stdout.no_fnmatch_line("*def run_exam*")


def test_a_strict_exam_takes_nothing_that_was_not_tried(switchboard):
    assert switchboard.exam("false", only=[9]).rules[9].verdict == "not_tried"
    with pytest.raises(ExamFailed, match="not tried  9"):
        switchboard.exam("false", only=[9], strict=True)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"only": [99]}, "there is no rule 99"),
        ({"only": []}, "invalid value"),
        ({"waive": {9: ""}}, "expected a number and a reason"),
        ({"hooks_path": "hooks"}, "expected a path that begins with a slash"),
    ],
)
def test_an_exam_that_cannot_run_is_no_failed_assertion(switchboard, options, words):
    with pytest.raises(ExamNotRun, match=words) as failed:
        switchboard.exam("false", **options)
    assert not isinstance(failed.value, AssertionError)


def test_a_word_with_a_space_is_refused(switchboard):
    with pytest.raises(ValueError, match="'my bridge.py' is not one word"):
        switchboard.exam(["python3", "my bridge.py"])


class Fake:
    """A process of the kit whose program is a script."""

    log = Path("log")
    ready = {"version": "", "dev": {"url": "http://127.0.0.1:9", "token": ""}}

    def __init__(self, program: Path) -> None:
        self.program = program


def test_a_report_of_another_version_is_refused(fake_program):
    write = """for flag; do case $flag in --json=*) echo '{"exam_version":2}' >"${flag#--json=}";; esac; done"""
    with pytest.raises(ExamNotRun, match="The report has version 2, and this kit reads 1"):
        Switchboard(Fake(fake_program(write))).exam("false")


def test_an_exam_without_an_end_is_ended(fake_program, tmp_path):
    pids = tmp_path / "pids"
    program = fake_program(f"sleep 600 &\necho $$ $! >{pids}\necho 'holds      1' >&2\nwait")
    with pytest.raises(ExamNotRun, match="did not end within 2 s. It said:\n  holds      1"):
        Switchboard(Fake(program)).exam("false", seconds=2)
    for pid in pids.read_text().split():
        wait_for_end(int(pid))


def test_an_exam_ends_with_a_test_run_that_is_killed(tmp_path):
    pids, program = tmp_path / "pids", tmp_path / "bridge.sh"
    program.write_text(f"echo $$ $PPID >{pids}.new; mv {pids}.new {pids}; sleep 600\n")
    code = f"""
import threading, time
from pathlib import Path
from switchboard_testing import Switchboard
running = Switchboard.start()
threading.Thread(target=running.exam, args=("sh {program}",), kwargs={{"only": [9]}}, daemon=True).start()
deadline = time.monotonic() + {SECONDS}
while not Path({str(pids)!r}).exists() and time.monotonic() < deadline:
    time.sleep(0.01)
print(Path({str(pids)!r}).read_text())
"""
    with Holder(code) as holder:
        examined, leader = map(int, holder.line.split())
        exam = parent_of(leader)
        holder.kill()
        for pid in (examined, leader, exam):
            wait_for_end(pid)
