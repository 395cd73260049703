"""The OAuth client of a world."""

from __future__ import annotations

import json
import urllib.error
import urllib.request

import pytest
from processes import SECONDS


def ask(world, **grant: str) -> tuple[int, dict]:
    """Asks for tokens as an integration does."""
    client = world.oauth_client
    body = {"client_id": client.id, "client_secret": client.secret, "redirect_uri": client.redirect_uri, **grant}
    request = urllib.request.Request(f"{world.base_url}/oauth2/access_token", json.dumps(body).encode())
    request.add_header("Content-Type", "application/json")
    try:
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, json.load(refusal)


def exchange(world, code: str) -> tuple[int, dict]:
    return ask(world, grant_type="authorization_code", code=code)


def refresh(world, token: str) -> tuple[int, dict]:
    return ask(world, grant_type="refresh_token", refresh_token=token)


def test_codes_and_tokens_follow_the_clock_of_the_world(world):
    status, first = exchange(world, world.oauth_client.code)
    assert (status, first["expires_in"]) == (200, 86_400)
    assert exchange(world, world.oauth_client.code)[0] == 400
    world.advance(days=1)
    assert refresh(world, first["refresh_token"])[0] == 200
    code = world.user("ada").consents()
    assert world.oauth_client.code == code
    world.advance(minutes=20)
    status, late = exchange(world, code)
    assert (status, "expired" in late["hint"]) == (400, True)


@pytest.mark.parametrize(("fault", "hint"), [("revoked", "uninstalled"), ("refresh_race", "another-process")])
def test_a_refresh_token_is_refused_with_the_reason(world, fault, hint):
    _, tokens = exchange(world, world.oauth_client.code)
    world.fault("oauth", fault)
    status, refusal = refresh(world, tokens["refresh_token"])
    assert (status, refusal["error"]) == (400, "invalid_grant")
    assert hint in refusal["hint"]
    assert exchange(world, world.user("ada").consents())[0] == 200


@pytest.mark.world(redirect_uri="https://bridge.example/cb")
def test_a_world_has_the_redirect_address_that_it_is_given(world):
    assert world.oauth_client.redirect_uri == "https://bridge.example/cb"
