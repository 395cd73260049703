"""The transcript that every kit replays: kits/README.md explains it."""

from __future__ import annotations

import json
import urllib.request
from pathlib import Path

import pytest
from processes import SECONDS

from switchboard_testing import ApiError, Clock, Customer, NotMet, Receiver, Sent, User, World

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


def habit(world: World, step: dict) -> None:
    settings = {name: step[name] for name in ("text", "seconds", "after", "times") if name in step}
    getattr(_person(world, step), step["habit"])(**settings)


def habits(world: World, step: dict) -> None:
    def shown(habit: dict) -> dict:
        return {"name": habit.get("customer") or habit["user"], **{name: habit[name] for name in ("do", "after", "left")}}

    assert [shown(habit) for habit in world.habits()] == step["gives"]


def end_habits(world: World, step: dict) -> None:
    (_person(world, step) or world).end_habits()


def consent(world: World, step: dict) -> None:
    assert world.user(step["user"]).consents() == world.oauth_client.code


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


def subscribe(world: World, step: dict) -> None:
    world.subscribe(step.get("url"), step.get("settings"))
    assert len(world.hooks()) == step["left"]


def hooks(world: World, step: dict) -> None:
    entries = [entry for entry in world.journal() if entry["kind"] == "hook"]
    shown = [[entry["code"], entry["attempt"], entry["outcome"]] for entry in entries]
    assert shown == step["gives"]


def wait_for_hook(world: World, step: dict) -> None:
    met = world.wait_for_hook(step["code"], step["count"], state=step["state"])
    assert {entry["item"]["text"] for entry in met.entries} == set(step["texts"])


def end_hooks(world: World, _step: dict) -> None:
    world.end_hooks()
    assert world.hooks() == []


def receive_hooks(world: World, step: dict) -> None:
    with Receiver(world.channel.secret) as receiver:
        world.subscribe(receiver, step["settings"])
        world.customer(step["customer"]).says(step["text"])
        world.wait_for_hook(step["text"])
        assert [hook.attempt for hook in receiver.hooks] == step["gives"]
        assert len({hook.request_id for hook in receiver.hooks}) == 1
        assert receiver.hooks[0].request_id
        assert all(hook.form["message"]["add"][0]["text"] == step["text"] for hook in receiver.hooks)
        assert receiver.received == receiver.refused == []
        end_hooks(world, step)


def run_salesbot(world: World, step: dict) -> None:
    body = json.dumps({"entity_id": step["lead"], "entity_type": "leads"}).encode()
    headers = {"Authorization": f"Bearer {world.user('ada').token}", "Content-Type": "application/json"}
    request = urllib.request.Request(f"{world.base_url}/api/v4/bots/{step['bot']}/run", body, headers)
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        assert answer.status == 202


def questions(world: World, step: dict) -> None:
    entries = [entry for entry in world.journal() if entry["kind"] == "question"]
    assert [[entry["bot"], entry["attempt"], entry["outcome"]] for entry in entries] == step["gives"]


def restart(world: World, _step: dict) -> None:
    assert isinstance(world.restart(), Clock)


def delete(world: World, _step: dict) -> None:
    world.delete()


DO = {
    function.__name__: function
    for function in (
        *(say, reply, wait, messages, fault, end_faults, habit, habits, end_habits, consent),
        *(subscribe, hooks, wait_for_hook, end_hooks, receive_hooks, run_salesbot, questions),
        *(clock, advance, callbacks, restart, delete),
    )
}


def _person(world: World, step: dict) -> Customer | User | None:
    if "customer" in step:
        return world.customer(step["customer"])
    return world.user(step["user"]) if "user" in step else None


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
