from __future__ import annotations

import os
import signal
import socket

import pytest
from processes import wait_for_end

from switchboard_testing import ApiError, NoAnswer, Switchboard
from switchboard_testing.client import Client
from switchboard_testing.receiver import Receiver


def test_a_program_that_was_killed_is_named_with_its_log():
    with Switchboard.start() as running:
        world = running.open_world("last")
        pid = running._process.ready["pid"]
        os.kill(pid, signal.SIGKILL)
        running._process._popen.wait()
        wait_for_end(pid)
        with pytest.raises(NoAnswer) as caught:
            world.messages("bo")
        assert f"GET /dev/v1/worlds/{world.id}/customers/bo/messages got no answer" in str(caught.value)
        assert "ended with the code -9" in str(caught.value)
        assert str(running.log) in str(caught.value)


def test_a_wrong_token_is_refused():
    with Switchboard.start() as running:
        url = running._process.ready["dev"]["url"]
        with pytest.raises(ApiError) as caught:
            Client(url, "wrong", str).json("GET", "/worlds")
        assert caught.value.status == 401


def test_an_answer_that_is_no_problem_document_is_shown():
    # A receiver refuses whatever has no signature, with an empty body.
    with Receiver("secret") as receiver, pytest.raises(ApiError) as caught:
        Client(receiver.url, "token", str).json("POST", "", {})
    assert caught.value.status == 403
    assert "no problem document" in str(caught.value)


def test_a_request_has_a_time_limit():
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/dev/v1"
        with pytest.raises(NoAnswer, match=r"got no answer within 0\.05 s\. It hangs\."):
            Client(url, "token", lambda: "It hangs.").json("GET", "/worlds", seconds=0.05)


def test_the_paths_of_errors_are_shown():
    problem = {"title": "Bad", "detail": "Two fields.", "errors": [{"path": "/text", "detail": "is empty"}]}
    assert str(ApiError("POST /x", 400, problem)) == "POST /x answered 400: Bad\nTwo fields.\n  /text: is empty"
