from __future__ import annotations

import hashlib
import hmac
import json
import urllib.error
import urllib.request

import pytest
from processes import SECONDS

from switchboard_testing import Receiver
from switchboard_testing.form import parse_form

SECRET = "a secret"
BODY = json.dumps({"message": {"message": {"text": "Hello ü"}}}).encode()


def post(url: str, body: bytes, signature: str | None) -> int:
    headers = {"Content-Type": "application/json"}
    if signature is not None:
        headers["X-Signature"] = signature
    return send(url, body, headers)


def send(url: str, body: bytes, headers: dict[str, str]) -> int:
    try:
        with urllib.request.urlopen(urllib.request.Request(url, body, headers), timeout=SECONDS) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        with error:
            return error.code


def signature(body: bytes, secret: str = SECRET) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha1).hexdigest()


def test_a_signed_callback_is_recorded_and_answered_200():
    with Receiver(SECRET) as receiver:
        assert post(receiver.url, BODY, signature(BODY)) == 200
    (received,) = receiver.received
    assert (received.path, received.body, received.answered) == ("/callbacks", BODY, 200)
    assert received.headers["x-signature"] == signature(BODY)
    assert received.text == "Hello ü"
    assert receiver.texts == ["Hello ü"]
    assert receiver.refused == []


@pytest.mark.parametrize(
    "given", [None, "", signature(BODY, "another secret"), signature(BODY).upper(), "\u00ff"], ids=ascii
)
def test_a_callback_without_the_right_signature_is_refused(given):
    with Receiver(SECRET) as receiver:
        assert post(receiver.url, BODY, given) == 403
    assert receiver.received == []
    (refused,) = receiver.refused
    assert (refused.body, refused.answered) == (BODY, 403)


def test_a_receiver_answers_what_the_test_chooses():
    answers = iter([500, 204])
    with Receiver(SECRET, lambda _path, _body: next(answers)) as receiver:
        assert post(receiver.url, BODY, signature(BODY)) == 500
        assert post(receiver.url, BODY, signature(BODY)) == 204
    assert [received.answered for received in receiver.received] == [500, 204]


def test_a_callback_about_something_else_has_no_text():
    body = b'{"action": {"typing": {}}}'
    with Receiver(SECRET) as receiver:
        assert post(receiver.url, body, signature(body)) == 200
    assert receiver.received[0].text is None
    assert receiver.texts == []


def test_a_stopped_receiver_refuses_connections():
    receiver = Receiver(SECRET)
    receiver.stop()
    receiver.stop()
    with pytest.raises(urllib.error.URLError, match="refused"):
        post(receiver.url, BODY, signature(BODY))


HOOK = {
    "Content-Type": "application/x-www-form-urlencoded",
    "User-Agent": "amoCRM-Webhooks/3.0",
    "X-Amocrm-Requestid": "r-1",
}
FORM = b"account%5Bid%5D=7&message[add][0][text]=J%C3%A4+%26&message[add][1][text]=b&leads[]=3&leads[]=4"


def test_a_hook_is_recorded_apart_and_answered_as_the_test_chooses():
    answers = iter([503, 204])
    with Receiver(SECRET, lambda _path, _body: next(answers)) as receiver:
        assert send(receiver.url, FORM, HOOK) == 503
        assert send(receiver.url, FORM, {**HOOK, "X-Delivery-Attempt": "2"}) == 204
    first, second = receiver.hooks
    assert (first.path, first.body, first.request_id, first.attempt) == ("/callbacks", FORM, "r-1", 1)
    assert first.form == {
        "account": {"id": "7"},
        "message": {"add": [{"text": "J\u00e4 &"}, {"text": "b"}]},
        "leads": ["3", "4"],
    }
    assert (first.answered, second.answered, second.attempt) == (503, 204, 2)
    assert receiver.received == receiver.refused == receiver.texts == []


@pytest.mark.parametrize(
    "other",
    [{"User-Agent": "curl/8"}, {"Content-Type": "application/json"}, {"X-Signature": signature(FORM, "another secret")}],
    ids=ascii,
)
def test_a_request_that_is_not_quite_a_hook_is_refused(other):
    with Receiver(SECRET) as receiver:
        assert send(receiver.url, FORM, {**HOOK, **other}) == 403
    assert receiver.hooks == []
    assert len(receiver.refused) == 1


def test_a_form_with_hostile_keys_is_read():
    deep = "h" + "[i]" * 64
    form = f"__class__[x]=1&a[9999999999]=2&a[b=3&[c]=4&=5&d=6&d[e]=7&f[g]=8&f=9&{deep}=1&j=%FF"
    assert parse_form(form.encode()) == {
        "__class__": {"x": "1"},
        "a": {"9999999999": "2"},
        "a[b": "3",
        "d": {"e": "7"},
        "f": "9",
        "j": "\ufffd",
    }
