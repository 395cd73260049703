"""The errors of the kit. Each says what happened, where, and what to do."""

from __future__ import annotations

from collections.abc import Sequence


class SwitchboardError(Exception):
    """Every error of the kit is one of these."""


class ProgramNotFound(SwitchboardError):
    """The switchboard program is in none of the places where the kit looks."""


class StartFailed(SwitchboardError):
    """The switchboard program, or the tested one, was found, but did not start."""


class NoAnswer(SwitchboardError):
    """The running program did not answer a request: it ended, or took too long."""


class ExamNotRun(SwitchboardError):
    """The exam itself could not run, or did not end in time. It says nothing about the program that it examines."""


class ApiError(SwitchboardError):
    """The program refused a request. `status`, `title`, `detail` and `errors` are those of its answer."""

    def __init__(self, request: str, status: int, problem: dict) -> None:
        self.request = request
        self.status = status
        self.title: str = str(problem.get("title") or "")
        self.detail: str = str(problem.get("detail") or "")
        self.errors: list[dict] = list(problem.get("errors") or [])
        lines = [f"{request} answered {status}: {self.title}"]
        if self.detail:
            lines.append(self.detail)
        lines += [f"  {error.get('path', '')}: {error.get('detail', '')}" for error in self.errors]
        super().__init__("\n".join(lines))


class NotMet(SwitchboardError, AssertionError):
    """What a test waited for did not happen. `why` is the reason; `near` lists what came near to it."""

    def __init__(self, what: str, why: str, near: Sequence[str], cursor: int | None) -> None:
        self.why = why
        self.near = list(near)
        self.cursor = cursor
        lines = [f"{what} was not met: {why}"]
        lines += [f"  near: {line}" for line in near]
        super().__init__("\n".join(lines))
