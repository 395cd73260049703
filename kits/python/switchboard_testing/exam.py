"""The exam of a program, run from a test: `switchboard exam` plays the counterpart at its worst, and judges rule by rule."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import ExamNotRun, SwitchboardError
from .group import signal_group, start_group

# A whole exam takes about a minute on two processors.
SECONDS = 600
# The form of reports that this kit reads.
EXAM_VERSION = 1
LINES = 20


@dataclass(frozen=True)
class ExamRule:
    """A rule. `verdict` is `holds`, `breaks`, `warns`, `not_tried` or `waived`; `why` is its reason, or empty."""

    number: int
    title: str
    verdict: str
    why: str
    advice: str
    page: str


@dataclass(frozen=True)
class ExamReport:
    """What came out: the numbers of verdicts, the rules by number, what a terminal shows, and the whole document."""

    headline: str
    rules: dict[int, ExamRule]
    text: str
    document: dict[str, Any]


class ExamFailed(SwitchboardError, AssertionError):
    """The program does not pass. `report` says which rules it breaks, and what to do."""

    def __init__(self, program: str, report: ExamReport) -> None:
        self.report = report
        super().__init__(f"The program «{program}» does not pass the exam.\n{report.text}")


def run_exam(
    switchboard: Path,
    command: str | Sequence[str | os.PathLike],
    profile: str,
    only: Iterable[int] | None,
    waive: Mapping[int, str] | None,
    strict: bool,
    path: str,
    hooks_path: str,
    jobs: int | None,
    flags: Iterable[str],
    env: Mapping[str, str] | None,
    cwd: str | os.PathLike | None,
    seconds: float,
) -> ExamReport:
    __tracebackhide__ = True
    line = command_line(command)
    words = [f"--command={line}", f"--profile={profile}", f"--path={path}", f"--hooks-path={hooks_path}"]
    if only is not None:
        words.append("--only=" + ",".join(map(str, only)))
    words += [f"--waive={number}={reason}" for number, reason in (waive or {}).items()]
    words += ["--strict"] if strict else []
    words += [] if jobs is None else [f"--jobs={jobs}"]
    with tempfile.TemporaryDirectory(prefix="switchboard-exam-") as folder:
        run = _Run(Path(folder))
        code = run.end([switchboard, "exam", f"--json={run.document}", *words, *flags], {**os.environ, **(env or {})}, cwd, seconds)
        report = run.report(code)
    if code:
        raise ExamFailed(line, report)
    return report


def command_line(command: str | Sequence[str | os.PathLike]) -> str:
    """The program and its arguments in one line, which the exam parts at its spaces."""
    if isinstance(command, str):
        return command
    words = [os.fspath(word) for word in command]
    for word in words:
        if len(word.split()) != 1:
            raise ValueError(f"The exam parts a command at its spaces, and {word!r} is not one word: put the command into a script.")
    return " ".join(words)


class _Run:
    """One run of the exam, with its files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.document = folder / "exam.json"
        self._output = folder / "output"
        self._progress = folder / "progress"

    def end(self, command: list, env: Mapping[str, str], cwd: str | os.PathLike | None, seconds: float) -> int:
        """Runs the exam to its end; gives its exit code. Whatever happens, nothing of it is left."""
        with open(self._output, "wb") as output, open(self._progress, "wb") as progress:
            try:
                popen = start_group(command, env, cwd, output, progress)
            except OSError as error:
                raise ExamNotRun(f"The exam could not be started: {error}.") from None
            try:
                return popen.wait(seconds)
            except subprocess.TimeoutExpired:
                raise ExamNotRun(f"The exam did not end within {seconds} s. {self._words()}") from None
            finally:
                # The leader may have been waited for: the process that watches its input keeps the number of the group.
                signal_group(popen, signal.SIGKILL)
                popen.wait()
                assert popen.stdin is not None
                popen.stdin.close()

    def report(self, code: int) -> ExamReport:
        try:
            document = json.loads(self.document.read_text("utf-8"))
        except (OSError, ValueError):
            document = None
        # With the code 1 and a report, a rule is broken.
        if code not in (0, 1) or document is None:
            raise ExamNotRun(f"The exam ended with the code {code} and no report. {self._words()}")
        version = document.get("exam_version")
        if version != EXAM_VERSION:
            raise ExamNotRun(f"The report has version {version}, and this kit reads {EXAM_VERSION}: use the kit of the program.")
        rules = {rule["number"]: _rule(rule) for rule in document["rules"]}
        return ExamReport(document["headline"], rules, self._output.read_text("utf-8", "replace").rstrip(), document)

    def _words(self) -> str:
        lines = self._progress.read_text("utf-8", "replace").splitlines()[-LINES:]
        return "\n  ".join(["It said:", *lines]) if lines else "It said nothing."


def _rule(facts: dict[str, Any]) -> ExamRule:
    why = facts.get("why") or facts.get("reason") or facts.get("remark") or ""
    return ExamRule(facts["number"], facts["title"], facts["verdict"], why, facts["advice"], facts["page"])
