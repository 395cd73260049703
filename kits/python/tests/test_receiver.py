from __future__ import annotations

import hashlib
import hmac
import json
import urllib.error
import urllib.request

import pytest
from processes import SECONDS

from switchboard_testing import Receiver

SECRET = "a secret"
BODY = json.dumps({"message": {"message": {"text": "Hello ü"}}}).encode()


def post(url: str, body: bytes, signature: str | None) -> int:
    headers = {"Content-Type": "application/json"}
    if signature is not None:
        headers["X-Signature"] = signature
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
