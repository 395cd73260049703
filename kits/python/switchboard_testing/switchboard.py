"""A running program, in which worlds are opened."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from .client import Client
from .exam import SECONDS, ExamReport, run_exam
from .process import start, tail
from .world import World


class Running(Protocol):
    """A program that this process owns or shares."""

    program: Path
    ready: dict
    log: Path

    def state(self) -> str: ...

    def stop(self) -> None: ...


class Switchboard:
    """A running program. Use it in a `with` statement, or call `stop`."""

    def __init__(self, process: Running) -> None:
        self._process = process
        self.version: str = process.ready["version"]
        self.log = process.log
        dev = process.ready["dev"]
        self._client = Client(dev["url"], dev["token"], self._explain)

    @classmethod
    def start(cls, program: Path | str | None = None, directory: Path | None = None) -> Switchboard:
        """Starts a program of its own; without `program`, the one that the kit finds."""
        return cls(start(program, directory))

    def open_world(
        self,
        name: str | None = None,
        *,
        clock: str | None = None,
        seed: int | None = None,
        webhook: str | None = None,
        redirect_uri: str | None = None,
        ttl: int | None = None,
        subdomain: str | None = None,
        channel_id: str | None = None,
        phone_field_id: int | None = None,
        email_field_id: int | None = None,
        pipelines: list[dict[str, Any]] | None = None,
        users: list[dict[str, Any]] | None = None,
        lead_fields: list[dict[str, Any]] | None = None,
        contact_fields: list[dict[str, Any]] | None = None,
        salesbots: list[dict[str, Any]] | None = None,
    ) -> World:
        """Opens a world. Use it in a `with` statement, or call its `delete`.

        From `subdomain` on, these are ids that the tested program carries.
        """
        __tracebackhide__ = True
        wanted = {
            "name": name,
            "clock": clock,
            "seed": seed,
            "webhook": webhook,
            "redirect_uri": redirect_uri,
            "ttl": ttl,
            "subdomain": subdomain,
            "channel_id": channel_id,
            "phone_field_id": phone_field_id,
            "email_field_id": email_field_id,
            "pipelines": pipelines,
            "users": users,
            "lead_fields": lead_fields,
            "contact_fields": contact_fields,
            "salesbots": salesbots,
        }
        body = {key: value for key, value in wanted.items() if value is not None}
        return World(self._client, self._client.json("POST", "/worlds", body))

    def worlds(self) -> list[dict[str, Any]]:
        """The worlds that are open, as the program describes them."""
        return self._client.json("GET", "/worlds")["worlds"]

    def exam(
        self,
        command: str | Sequence[str | os.PathLike],
        *,
        profile: str = "bridge",
        only: Iterable[int] | None = None,
        waive: Mapping[int, str] | None = None,
        strict: bool = False,
        path: str = "/",
        hooks_path: str = "/hooks",
        jobs: int | None = None,
        flags: Iterable[str] = (),
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike | None = None,
        seconds: float = SECONDS,
    ) -> ExamReport:
        """Examines a program in worlds of the exam's own. Raises ExamFailed when it breaks a rule.

        `flags` are more of `switchboard exam`, such as "--html=exam.html". Their paths begin in `cwd`.

        A strict exam fails for warnings and for rules that were not tried, too.
        """
        __tracebackhide__ = True
        return run_exam(
            self._process.program, command, profile, only, waive, strict, path, hooks_path, jobs, flags, env, cwd, seconds
        )

    def stop(self) -> None:
        self._process.stop()

    def __enter__(self) -> Switchboard:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _explain(self) -> str:
        return f"{self._process.state()} {tail(self.log)}"
