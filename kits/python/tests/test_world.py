from __future__ import annotations

import json
import urllib.request
from datetime import timedelta
from urllib.parse import quote

import pytest
from processes import SECONDS

from switchboard_testing import ApiError, Message, Sent


def texts(world, customer):
    return [(message.direction, message.text) for message in world.messages(customer)]


def test_a_conversation_has_the_texts_of_both_sides(world):
    said = world.customer("bo").says("Have you any tulips?")
    replied = world.user("ada").replies("Red ones.", to="bo")
    assert said.conversation_id == replied.conversation_id
    assert said.msgid and replied.msgid is None
    assert world.customer("bo").messages() == [
        Message(said.message_id, "in", "Have you any tulips?"),
        Message(replied.message_id, "out", "Red ones."),
    ]


def test_a_reply_without_a_customer_goes_to_the_one_who_wrote_last(world):
    world.customer("bo").says("I am first.")
    world.customer("cy").says("I am last.")
    world.user("ada").replies("Hello.")
    world.user("ada").replies("Welcome.", to=world.customer("bo"))
    assert texts(world, "cy") == [("in", "I am last."), ("out", "Hello.")]
    assert texts(world, "bo") == [("in", "I am first."), ("out", "Welcome.")]


def test_a_text_of_any_letters_comes_back(world):
    text = 'quote " backslash \\ line\nend 🌷 \u2028'
    world.customer("Bo.2_a-b").says(text)
    assert texts(world, "Bo.2_a-b") == [("in", text)]


@pytest.mark.parametrize("name", ["Bo Ü", "a/b?c#d", "100%"])
def test_a_name_of_other_letters_is_refused_with_the_reason(world, name):
    with pytest.raises(ApiError) as caught:
        world.customer(name).says("Hi")
    assert caught.value.status == 400
    assert caught.value.request == f"POST /dev/v1/worlds/{world.id}/customers/{quote(name, safe='')}/say"
    assert name in caught.value.detail


def test_an_empty_text_is_refused_with_the_reason(world):
    with pytest.raises(ApiError) as caught:
        world.customer("bo").says("")
    assert caught.value.status == 400


def test_the_token_of_a_user_opens_the_account(world):
    world.customer("bo").says("Hi")
    world.user("eve").replies("Hello", to="bo")
    request = urllib.request.Request(f"{world.base_url}/api/v4/users")
    request.add_header("Authorization", f"Bearer {world.user('eve').token}")
    with urllib.request.urlopen(request, timeout=SECONDS) as answer:
        users = json.load(answer)["_embedded"]["users"]
    assert len(users) == 2
    assert world.user("ada").token != world.user("eve").token


def test_a_user_who_never_acted_has_no_token(world):
    with pytest.raises(LookupError, match="has no user 'eve' yet, only ada"):
        _ = world.user("eve").token


@pytest.mark.world(clock="frozen")
def test_a_frozen_clock_moves_only_by_advance(world):
    before = world.clock()
    assert before.mode == "frozen"
    world.customer("bo").says("Hi")
    assert world.clock().now - before.now < timedelta(seconds=1)
    before = world.clock()
    after = world.advance(30, minutes=14, hours=1, days=2)
    passed = after.now - before.now - timedelta(days=2, hours=1, minutes=14, seconds=30)
    assert timedelta(0) <= passed < timedelta(seconds=1)
    assert world.clock() == after


def test_the_clock_changes_its_mode(world):
    assert world.clock().mode == "skip"
    for mode in ("frozen", "real", "skip"):
        assert world.clock(mode).mode == mode
        assert world.clock().mode == mode
    with pytest.raises(ApiError) as caught:
        world.clock("no_such_mode")
    assert caught.value.status == 400


def test_a_restart_keeps_data_and_address(world):
    world.customer("bo").says("Keep me.")
    base_url = world.base_url
    world.restart()
    assert world.facts()["base_url"] == base_url
    world.customer("bo").says("And me.")
    assert texts(world, "bo") == [("in", "Keep me."), ("in", "And me.")]


def test_the_same_seed_gives_the_same_ids(switchboard):
    def conversation(seed: int) -> Sent:
        with switchboard.open_world(seed=seed) as world:
            assert world.seed == seed
            return world.customer("bo").says("Hi")

    assert conversation(7) == conversation(7)
    assert conversation(7) != conversation(8)


def test_worlds_do_not_see_each_other(switchboard):
    with switchboard.open_world("one") as one, switchboard.open_world("two") as two:
        one.customer("bo").says("Hi")
        assert {one.id, two.id} <= {world["id"] for world in switchboard.worlds()}
        assert one.base_url != two.base_url
        assert len(texts(one, "bo")) == 1
        two.customer("bo").says("Hello")
        assert texts(two, "bo") == [("in", "Hello")]


def test_a_deleted_world_answers_410_with_the_reason(switchboard):
    with switchboard.open_world("short") as world:
        world.delete()
        with pytest.raises(ApiError, match="deleted") as caught:
            world.messages("bo")
        assert caught.value.status == 410
    assert world.id not in {other["id"] for other in switchboard.worlds()}


def test_the_journal_has_requests_callbacks_and_notes(world):
    world.customer("bo").says("Hi")
    reply = world.user("ada").replies("Hello, line\u2028separator", to="bo")
    met = world.wait("callback.delivered")
    world.advance(seconds=1)
    entries = world.journal()
    assert [entry["cursor"] for entry in entries] == sorted(entry["cursor"] for entry in entries)
    (callback,) = [entry for entry in entries if entry["kind"] == "callback"]
    assert (callback["message_id"], callback["outcome"]) == (reply.message_id, "answered 200")
    assert met.entries == [callback]
    assert any(entry["kind"] == "note" and "advance" in entry["what"] for entry in entries)
    assert world.journal(after=entries[-1]["cursor"]) == []
    assert all(entry["cursor"] > met.cursor for entry in world.journal(after=met))
    assert world.journal_text().count("\n") >= len(entries)


def test_the_journal_has_no_secret(world):
    world.customer("bo").says("Hi")
    text = world.journal_text() + json.dumps(world.journal())
    assert world.channel.secret not in text
    assert world.user("ada").token not in text
