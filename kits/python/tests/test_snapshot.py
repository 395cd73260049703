"""Going on from a moment of a world more than once."""

from __future__ import annotations

import pytest

from switchboard_testing import ApiError


def texts(world) -> list[str]:
    return [message.text for message in world.messages("bo")]


def test_a_world_goes_back_to_a_snapshot(world):
    world.customer("bo").says("Before")
    kept = world.snapshot()
    world.customer("bo").says("After")
    world.fault("callbacks", "drop", times=9)
    kept.restore()
    assert (texts(world), world.faults()) == (["Before"], [])


def test_a_fork_and_its_world_do_not_see_each_other(world):
    world.customer("bo").says("Before")
    with world.snapshot().fork() as fork:
        assert (fork.scope_id, fork.base_url != world.base_url) == (world.scope_id, True)
        fork.customer("bo").says("In the fork")
        assert texts(fork) == ["Before", "In the fork"]
    assert texts(world) == ["Before"]


def test_more_than_20_snapshots_are_refused(world):
    for _ in range(20):
        world.snapshot()
    with pytest.raises(ApiError, match="20 snapshots at most"):
        world.snapshot()
