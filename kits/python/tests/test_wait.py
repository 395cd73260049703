from __future__ import annotations

import pytest

from switchboard_testing import NotMet, SwitchboardError


@pytest.fixture
def conversation(world):
    world.customer("bo").says("Hi")
    return world


def test_a_wait_gives_the_entries_that_met_it(conversation):
    reply = conversation.user("ada").replies("Hello", to="bo")
    met = conversation.wait("callback.delivered")
    assert [entry["message_id"] for entry in met.entries] == [reply.message_id]


def test_a_wait_is_for_one_message(conversation):
    first = conversation.user("ada").replies("First", to="bo")
    second = conversation.user("ada").replies("Second", to="bo")
    for reply in (second, first):
        met = conversation.wait("callback.delivered", message=reply)
        assert [entry["message_id"] for entry in met.entries] == [reply.message_id]
    assert conversation.wait("callback.delivered", message=first.message_id).entries


def test_a_wait_is_for_a_part_of_the_body_or_of_the_path(conversation):
    conversation.user("ada").replies("About tulips", to="bo")
    conversation.user("ada").replies("About roses", to="bo")
    met = conversation.wait("callback.delivered", match="roses")
    assert len(met.entries) == 1
    assert "About roses" in met.entries[0]["body"]


def test_after_counts_only_later_entries(conversation):
    conversation.user("ada").replies("First", to="bo")
    met = conversation.wait("callback.delivered")
    with pytest.raises(NotMet):
        conversation.wait("callback.delivered", after=met)
    second = conversation.user("ada").replies("Second", to="bo")
    later = conversation.wait("callback.delivered", after=met.cursor)
    assert [entry["message_id"] for entry in later.entries] == [second.message_id]


def test_what_cannot_happen_any_more_is_an_assertion_error_with_the_reason(conversation):
    conversation.user("ada").replies("Hello", to="bo")
    with pytest.raises(AssertionError) as caught:
        conversation.wait("callback.delivered", count=2)
    error = caught.value
    assert isinstance(error, SwitchboardError)
    assert error.why and error.why in str(error)
    assert "until 'callback.delivered', count 2" in str(error)
    for line in error.near:
        assert f"near: {line}" in str(error)


@pytest.mark.world(clock="frozen")
def test_a_failed_attempt_is_near_and_time_would_meet_it(conversation):
    conversation.fault("callbacks", "status", status=503)
    conversation.user("ada").replies("Hello", to="bo")
    with pytest.raises(NotMet) as caught:
        conversation.wait("callback.delivered")
    assert any("503" in line for line in caught.value.near)
    conversation.advance(minutes=15)
    assert conversation.wait("callback.delivered").entries


def test_time_passes_by_itself_while_a_test_waits(conversation):
    before = conversation.clock()
    conversation.fault("callbacks", "status", times=3, status=503)
    conversation.user("ada").replies("Hello", to="bo")
    conversation.wait("callback.delivered")
    assert conversation.clock().now_ms > before.now_ms


def test_a_timeout_is_in_the_time_of_the_world(conversation):
    conversation.fault("callbacks", "status", times=1000, status=503)
    conversation.user("ada").replies("Hello", to="bo")
    with pytest.raises(NotMet):
        conversation.wait("callback.delivered", timeout=600)
    conversation.end_faults()
    conversation.wait("callback.delivered", timeout=86400)


def test_quiet_is_when_no_callback_is_left(conversation):
    conversation.wait("quiet")
    conversation.fault("callbacks", "drop")
    conversation.user("ada").replies("Hello", to="bo")
    conversation.wait("quiet")
    assert conversation.wait("callback.attempt", count=2).entries
