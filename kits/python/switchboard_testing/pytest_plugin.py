"""The fixtures `switchboard` and `world`, and the journal of the world in the report of a failed test."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Any

import pytest

from .errors import SwitchboardError
from .process import start
from .switchboard import Running, Switchboard
from .tested import shown
from .world import World

_WORLD = pytest.StashKey[World]()
SECTION = "journal of the world"
PROGRAM_SECTION = "output of the program"
LINES = 200
NAME_BYTES = 200


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers", "world(clock=, seed=, webhook=, ttl=, subdomain=, users=, …): how the fixture `world` opens the world of this test."
    )


@pytest.fixture(scope="session")
def switchboard(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Switchboard]:
    """The running program. The workers of pytest-xdist share one."""
    worker = getattr(request.config, "workerinput", None)
    process: Running
    if worker is None:
        process = start(directory=tmp_path_factory.mktemp("switchboard"))
    else:
        from .shared import share

        # The base directory of a worker is inside that of the session. The id keeps sessions apart where it is not.
        process = share(tmp_path_factory.getbasetemp().parent / f"switchboard-{worker['testrunuid']}")
    with Switchboard(process) as running:
        yield running


@pytest.fixture
def world(request: pytest.FixtureRequest, switchboard: Switchboard) -> Iterator[World]:
    """A world of this test alone. It is deleted after the test."""
    marker = request.node.get_closest_marker("world")
    # The name of a test can have any length, that of a world cannot.
    name = request.node.name.encode()[:NAME_BYTES].decode("utf-8", "ignore")
    settings = {"name": name, **(marker.kwargs if marker else {})}
    with switchboard.open_world(**settings) as opened:
        request.node.stash[_WORLD] = opened
        yield opened


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo) -> Generator[None, Any, None]:
    outcome = yield
    report = outcome.get_result()
    # After the teardown the world is deleted.
    if report.failed and report.when != "teardown" and _WORLD in item.stash:
        world = item.stash[_WORLD]
        report.sections.append((SECTION, _journal(world)))
        report.sections += [(PROGRAM_SECTION, f"{it!r}\n{shown(it.output())}") for it in world.programs]


def _journal(world: World) -> str:
    try:
        lines = world.journal_text().rstrip("\n").split("\n")
    except SwitchboardError as error:
        return f"The journal cannot be read: {error}"
    left_out = len(lines) - LINES
    if left_out > 0:
        lines = [f"({left_out} earlier lines are left out)", *lines[-LINES:]]
    return "\n".join([repr(world), *lines])
