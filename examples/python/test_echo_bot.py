"""The echo bot against Switchboard, with what goes wrong between them."""

import sys
from pathlib import Path

import pytest

BOT = Path(__file__).with_name("echo_bot.py")


@pytest.fixture(autouse=True)
def bot(world):
    world.program([sys.executable, BOT])
    world.customer("bo").says("Have you any tulips?")


def texts(world):
    return [message.text for message in world.messages("bo")]


ONE_ECHO = ["Have you any tulips?", "Red ones.", "echo: Red ones."]


def test_a_reply_is_echoed(world):
    world.user("ada").replies("Red ones.", to="bo")
    world.wait("callback.delivered")
    assert texts(world) == ONE_ECHO


def test_a_callback_that_comes_twice_makes_one_echo(world):
    world.fault("callbacks", "duplicate")
    world.user("ada").replies("Red ones.", to="bo")
    world.wait("request.seen", count=2, match=world.scope_id)
    world.wait("quiet")
    assert texts(world) == ONE_ECHO


def test_a_post_whose_answer_is_lost_makes_one_echo(world):
    world.fault("answers", "lost_after_commit", match=f"POST /v2/origin/custom/{world.scope_id}")
    world.user("ada").replies("Red ones.", to="bo")
    world.wait("callback.delivered")
    assert texts(world) == ONE_ECHO
    assert world.faults() == []


def test_a_post_that_is_refused_is_repeated_by_the_next_callback(world):
    world.fault("answers", "status", status=503, match=world.scope_id)
    reply = world.user("ada").replies("Red ones.", to="bo")
    world.wait("callback.delivered")
    assert texts(world) == ONE_ECHO
    assert len(world.wait("callback.attempt", count=2, message=reply).entries) == 2


def test_a_bot_that_is_away_for_an_hour_echoes_once_afterwards(world):
    world.clock("frozen")
    world.fault("callbacks", "status", times=1000, status=503)
    world.user("ada").replies("Red ones.", to="bo")
    world.advance(hours=1)
    assert texts(world) == ONE_ECHO[:2]
    world.end_faults()
    world.clock("skip")
    world.wait("callback.delivered")
    assert texts(world) == ONE_ECHO


def test_a_callback_with_a_wrong_signature_is_refused(world):
    world.fault("callbacks", "bad_signature")
    world.user("ada").replies("Red ones.", to="bo")
    world.wait("callback.delivered")
    outcomes = [entry["outcome"] for entry in world.journal() if entry["kind"] == "callback"]
    assert [outcome[:12] for outcome in outcomes] == ["answered 403", "answered 200"]
    assert texts(world) == ONE_ECHO
