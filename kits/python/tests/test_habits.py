"""What people do by themselves."""

from __future__ import annotations

import json
from urllib.request import Request, urlopen

import pytest

from switchboard_testing import ApiError


def texts(world) -> list[str]:
    return [message.text for message in world.messages("bo")]


def test_people_answer_and_read_in_the_time_of_the_world(world):
    receiver = world.receiver()
    world.user("ada").answers("One moment.", after=2)
    world.customer("bo").reads(after=10)
    before = world.clock()
    world.customer("bo").says("Hi")
    world.wait("quiet")
    assert 12 <= (world.clock().now - before.now).total_seconds() < 14
    assert (texts(world), receiver.texts) == (["Hi", "One moment."], ["One moment."])
    world.wait("delivery>=read")
    assert any("out of habit" in entry["what"] for entry in world.journal() if entry["kind"] == "note")


@pytest.mark.world(clock="frozen")
def test_a_habit_waits_for_a_frozen_clock(world):
    world.customer("bo").answers("Thanks.", after=60, times=1)
    world.customer("bo").says("Hi")
    world.user("ada").replies("Hello")
    world.advance(59)
    assert texts(world) == ["Hi", "Hello"]
    world.advance(1)
    assert texts(world) == ["Hi", "Hello", "Thanks."]
    assert world.habits() == []


def test_habits_end(world):
    world.user("ada").reads(after=1)
    world.user("ada").answers("One moment.", after=2, times=3)
    world.customer("bo").reads(after=1)
    assert [(habit["do"], habit["left"]) for habit in world.habits()] == [("reads", None), ("answers", 3), ("reads", None)]
    world.user("ada").end_habits()
    assert [habit["customer"] for habit in world.habits()] == ["bo"]
    world.end_habits()
    assert world.habits() == []


def test_users_take_over_note_and_snooze(world):
    ada = world.user("ada")
    ada.takes_over(after=1)
    ada.notes("Ask Bo for the size.", after=2)
    ada.snoozes(3600, after=3)
    before = world.clock()
    sent = world.customer("bo").says("Hi")
    world.wait("quiet")

    def read(path: str) -> dict:
        address = f"{world.base_url}{path}"
        request = Request(address, headers={"Authorization": f"Bearer {ada.token}"})
        with urlopen(request, timeout=10) as answer:
            return json.load(answer)

    address = f"/inbox/v1/conversations/{sent.conversation_id}"
    conversation = read(address)
    assert conversation["lead"]["responsible_user_id"] == read("/api/v4/account")["current_user_id"]
    assert conversation["snooze"]["until"] >= before.now.timestamp() + 3600
    assert [note["text"] for note in read(f"{address}/notes")["notes"]] == ["Ask Bo for the size."]
    with pytest.raises(ApiError, match="do: expected one of answers, reads"):
        world.customer("bo")._keeps({"do": "snoozes", "after": 1, "seconds": 1})


def test_a_wrong_habit_is_refused_with_the_reason(world):
    with pytest.raises(ApiError, match="after: expected a number from 0") as caught:
        world.user("ada").reads(after=-1)
    assert caught.value.status == 400
