from __future__ import annotations

import http.client
import json
import time
from urllib.parse import urlsplit

import pytest
from processes import SECONDS
from test_receiver import signature

from switchboard_testing import ApiError


@pytest.fixture
def receiver(world):
    world.customer("bo").says("Hi")
    return world.receiver()


def texts(world) -> list[str]:
    return [message.text for message in world.messages("bo")]


def post_message(world, msgid: str, text: str = "By HTTP") -> tuple[int, http.client.HTTPMessage, bytes]:
    """What an integration does: a message of the customer bo, signed, at the address of the world."""
    # The program gives these ids to the customer and to the conversation of `says`.
    sender = {"id": "u-bo", "name": "Bo", "avatar": "https://example.com/bo.png"}
    payload = {"timestamp": int(time.time()), "msgid": msgid, "conversation_id": "c-bo", "sender": sender}
    payload["message"] = {"type": "text", "text": text}
    body = json.dumps({"event_type": "new_message", "payload": payload}).encode()
    headers = {"Content-Type": "application/json", "X-Signature": signature(body, world.channel.secret)}
    connection = http.client.HTTPConnection(urlsplit(world.base_url).netloc, timeout=SECONDS)
    try:
        connection.request("POST", f"/v2/origin/custom/{world.scope_id}", body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers, answer.read()
    finally:
        connection.close()


def reply(world):
    world.user("ada").replies("Hello", to="bo")
    return world.wait("callback.delivered")


def test_without_a_fault_a_callback_arrives_once(world, receiver):
    reply(world)
    world.wait("quiet")
    assert receiver.texts == ["Hello"]


@pytest.mark.parametrize("fault", ["duplicate", "answer_lost"])
def test_a_callback_arrives_twice(world, receiver, fault):
    world.fault("callbacks", fault)
    reply(world)
    world.wait("quiet")
    assert receiver.texts == ["Hello", "Hello"]
    ids = {received.headers["webhook-id"] for received in receiver.received}
    assert len(ids) == 1


@pytest.mark.parametrize("more", [{"do": "drop"}, {"do": "status", "status": 503}], ids=lambda more: more["do"])
def test_a_callback_that_does_not_arrive_is_repeated(world, receiver, more):
    world.fault("callbacks", **more)
    reply(world)
    assert receiver.texts == ["Hello"]
    assert receiver.received[0].headers["x-delivery-attempt"] == "2"


def test_a_callback_with_a_wrong_signature_is_refused(world, receiver):
    world.fault("callbacks", "bad_signature")
    reply(world)
    assert [refused.answered for refused in receiver.refused] == [403]
    assert receiver.texts == ["Hello"]


def test_a_callback_with_one_field_more_has_a_right_signature(world, receiver):
    reply(world)
    world.fault("callbacks", "unknown_field")
    world.user("ada").replies("Again", to="bo")
    world.wait("callback.delivered", count=2)
    plain, more = (received.json for received in receiver.received)
    assert receiver.texts == ["Hello", "Again"]
    assert set(more) > set(plain)


def test_a_fault_is_for_what_matches_and_expires(world, receiver):
    fault = world.fault("callbacks", "drop", times=2, match="roses")
    assert (fault["on"], fault["do"], fault["left"]) == ("callbacks", "drop", 2)
    for text in ("tulips", "roses"):
        world.user("ada").replies(text, to="bo")
    world.wait("callback.delivered", count=2)
    assert [(entry["outcome"] == "answered 200") for entry in world.journal() if entry["kind"] == "callback"] == [
        True,
        False,
        False,
        True,
    ]
    assert [left for left in world.faults() if left["left"]] == []


@pytest.mark.parametrize("more", [{"do": "split"}, {"do": "drip", "seconds": 0.1}], ids=lambda more: more["do"])
def test_a_callback_in_pieces_arrives(world, receiver, more):
    world.fault("callbacks", **more)
    (entry,) = reply(world).entries
    assert (entry["fault"], entry["attempt"]) == (more["do"], 1)
    assert receiver.texts == ["Hello"]


def test_pieces_need_a_webhook(world):
    with pytest.raises(ApiError, match="set a webhook first"):
        world.fault("callbacks", "split")


def test_a_fault_strikes_the_same_ones_with_the_same_seed(switchboard):
    def struck(seed: int) -> list[bool]:
        with switchboard.open_world() as world:
            world.customer("bo").says("Hi")
            fault = world.fault("callbacks", "duplicate", times=100, probability=0.5, seed=seed)
            assert fault["probability"] == 0.5
            for number in range(20):
                world.user("ada").replies(f"{number}")
            return ["fault" in entry for entry in world.wait("callback.delivered", count=20).entries]

    assert struck(7) == struck(7)
    assert 0 < sum(struck(7)) < 20


def test_faults_end(world):
    world.fault("callbacks", "status", times=100, status=500)
    assert [fault["left"] for fault in world.faults()] == [100]
    world.end_faults()
    assert world.faults() == []


@pytest.mark.parametrize("wrong", [{"on": "weather", "do": "rain"}, {"on": "callbacks", "do": "rain"}], ids=str)
def test_a_fault_that_does_not_exist_is_refused_with_those_that_do(world, wrong):
    with pytest.raises(ApiError) as caught:
        world.fault(**wrong)
    assert caught.value.status == 400
    assert "duplicate" in str(caught.value) or "callbacks" in str(caught.value)


def test_an_answer_has_another_status(world):
    world.fault("answers", "status", status=503)
    assert post_message(world, "m1")[0] == 503
    assert post_message(world, "m1")[0] == 200


def test_a_rate_limit_names_the_seconds(world):
    world.fault("answers", "rate_limited", retry_after=3)
    status, headers, _ = post_message(world, "m1")
    assert (status, headers["Retry-After"]) == (429, "3")


def test_an_answer_is_a_page_of_a_proxy(world):
    world.fault("answers", "bad_gateway_html")
    status, headers, body = post_message(world, "m1")
    assert status == 502
    assert "html" in headers["Content-Type"] and b"<html" in body.lower()


def test_an_answer_is_truncated(world):
    world.fault("answers", "truncated")
    with pytest.raises(http.client.HTTPException):
        post_message(world, "m1")


@pytest.mark.parametrize(("fault", "stored"), [("lost_before_commit", 0), ("lost_after_commit", 1)])
def test_an_answer_is_lost_before_or_after_the_message_is_stored(world, fault, stored):
    world.customer("bo").says("Hi")
    world.fault("answers", fault, match=f"POST /v2/origin/custom/{world.scope_id}")
    with pytest.raises((http.client.HTTPException, ConnectionError)):
        post_message(world, "m1")
    assert texts(world) == ["Hi", "By HTTP"][: 1 + stored]
    assert post_message(world, "m1")[0] == 200
    assert texts(world) == ["Hi", "By HTTP"]


def test_a_full_disk_refuses_messages_until_the_faults_end(world):
    world.fault("engine", "disk_full")
    assert post_message(world, "m1")[0] == 503
    world.end_faults()
    assert post_message(world, "m1")[0] == 200


def test_a_power_cut_loses_nothing_that_was_answered(world):
    world.customer("bo").says("Hi")
    assert post_message(world, "m1")[0] == 200
    world.fault("engine", "power_cut")
    assert texts(world) == ["Hi", "By HTTP"]
