"""The transcript that every kit replays: kits/README.md explains it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from switchboard_testing import ApiError, Clock, NotMet, Sent, World

TRANSCRIPT = json.loads((Path(__file__).parents[2] / "transcript.json").read_text("utf-8"))


def say(world: World, step: dict) -> None:
    _is_sent(world.customer(step["customer"]).says(step["text"]))


def reply(world: World, step: dict) -> None:
    _is_sent(world.user(step["user"]).replies(step["text"], to=step.get("customer")))


def wait(world: World, step: dict) -> None:
    wanted = {"until": step["until"], "count": step.get("count", 1), "match": step.get("match")}
    if step.get("met") is False:
        with pytest.raises(NotMet) as caught:
            world.wait(**wanted)
        assert caught.value.why
    else:
        met = world.wait(**wanted)
        assert step["until"] == "quiet" or len(met.entries) >= wanted["count"]


def messages(world: World, step: dict) -> None:
    found = world.messages(step["customer"])
    assert [{"direction": message.direction, "text": message.text} for message in found] == step.get("gives")


def fault(world: World, step: dict) -> None:
    started = world.fault(step["on"], step["fault"], step.get("times"), step.get("match"), **step.get("with", {}))
    assert started["left"] == step["left"]


def end_faults(world: World, _step: dict) -> None:
    world.end_faults()
    assert world.faults() == []


def clock(world: World, step: dict) -> None:
    assert world.clock(step["mode"]).mode == step["mode"]


def advance(world: World, step: dict) -> None:
    before = world.clock()
    after = world.advance(step["seconds"])
    if before.mode == "frozen":
        assert 0 <= after.now_ms - before.now_ms - step["seconds"] * 1000 < 1000


def callbacks(world: World, step: dict) -> None:
    outcomes = [entry["outcome"] for entry in world.journal() if entry["kind"] == "callback"]
    assert len(outcomes) == len(step["gives"])
    assert all(outcome.startswith(start) for outcome, start in zip(outcomes, step["gives"]))


def restart(world: World, _step: dict) -> None:
    assert isinstance(world.restart(), Clock)


def delete(world: World, _step: dict) -> None:
    world.delete()


DO = {
    function.__name__: function
    for function in (say, reply, wait, messages, fault, end_faults, clock, advance, callbacks, restart, delete)
}


def _is_sent(sent: Sent) -> None:
    assert sent.message_id and sent.conversation_id


def test_the_transcript(switchboard):
    assert {step["do"] for step in TRANSCRIPT["steps"]} == set(DO)
    with switchboard.open_world(**TRANSCRIPT["world"]) as world:
        for number, step in enumerate(TRANSCRIPT["steps"]):
            print(f"step {number}: {step}")
            if "error" in step:
                with pytest.raises(ApiError) as caught:
                    DO[step["do"]](world, step)
                assert caught.value.status == step["error"]
                assert caught.value.title
            else:
                DO[step["do"]](world, step)
