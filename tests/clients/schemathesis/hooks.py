"""What Schemathesis has to know of this service: who asks, how requests are signed, and which ids there are.

The test hands over `SWITCHBOARD`, an object as JSON: the credentials, `known` with values of path parameters, by name, by
address and name or by the word before them, `bodies` with fields of bodies, by address (`*` becomes a number of its own), `whole` with
right bodies by method and address, and `report`, where the statuses of every operation are written at the end.
"""

import atexit
import collections
import email.utils
import hashlib
import hmac
import itertools
import json
import os

import schemathesis
from requests.auth import AuthBase

SETTING = json.loads(os.environ["SWITCHBOARD"])
NUMBERS = itertools.count()
TURNS = collections.defaultdict(itertools.count)
CURRENT = ("/chats", "/history", "/react", "/typing")
STATUSES = collections.defaultdict(collections.Counter)


class Credentials(AuthBase):
    """Sees each request as it will leave, so what is signed is what is sent."""

    def __call__(self, request):
        path = request.path_url.partition("?")[0]
        if path.startswith("/v2/origin/custom/"):
            sign(request, path)
        elif path.startswith("/admin/"):
            request.headers["Authorization"] = "Bearer " + SETTING["operator"]
        elif path.startswith(("/api/", "/inbox/", "/oauth2/account/")):
            request.headers["Authorization"] = "Bearer " + SETTING["token"]
        return request


def sign(request, path):
    """Signs by the rules of one generation or the other, and what only the current one knows by its rules."""
    body = request.body or b""
    body = body.encode() if isinstance(body, str) else body
    digest = hashlib.md5(body).hexdigest()
    signed = body
    if path.endswith(CURRENT) or int(digest[0], 16) % 2:
        request.headers["Content-MD5"] = digest
        request.headers["Date"] = email.utils.formatdate()
        kind = request.headers.get("Content-Type", "")
        kind = kind.encode("latin-1") if isinstance(kind, str) else kind
        date = request.headers["Date"].encode()
        parts = [request.method.encode(), digest.encode(), kind, date, path.encode()]
        signed = b"\n".join(parts)
    key = SETTING["secret"].encode()
    request.headers["X-Signature"] = hmac.new(key, signed, hashlib.sha1).hexdigest()


schemathesis.auth.set_from_requests(Credentials())


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Nobody guesses an id, so those that are made up give way to ones that are there.

    Wrong ones are made up after this.
    """
    path = context.operation.path
    method = context.operation.method.upper()
    for name in path_parameters or {}:
        # Of `/api/v4/roles/{id}`: what `roles` is known for, then `id`.
        before = path.partition("/{" + name + "}")[0].rpartition("/")[2]
        for key in (f"{method} {path} {name}", before, f"{path} {name}", name):
            if key in SETTING["known"]:
                path_parameters[name] = SETTING["known"][key]
                break
    return path_parameters


@schemathesis.hook
def map_body(context, body):
    """The same for what a body names, where what was made up has the right type at least.

    Chance hardly ever makes up a body whose fields depend on each other, so every second one is one that is right.
    """
    operation = f"{context.operation.method.upper()} {context.operation.path}"
    whole = SETTING["whole"].get(operation)
    if isinstance(body, type(whole)) and next(TURNS[operation]) % 2 == 0:
        return numbered(whole)
    known = SETTING["bodies"].get(context.operation.path, {})
    parts = body if isinstance(body, list) else [body]
    for part in (part for part in parts if isinstance(part, dict)):
        for name, there in known.items():
            if isinstance(part.get(name), type(there)):
                part[name] = numbered(there)
    return body


def numbered(value):
    """A copy in which each `*` of a text is a number of its own."""
    if isinstance(value, dict):
        return {name: numbered(field) for name, field in value.items()}
    if isinstance(value, list):
        return [numbered(item) for item in value]
    return value.replace("*", str(next(NUMBERS))) if isinstance(value, str) else value


@schemathesis.check
def no_internal_error(_context, response, _case):
    """No request makes the service fail."""
    assert response.status_code < 500, response.text


@schemathesis.hook
def after_call(context, case, response):
    STATUSES[f"{case.operation.method.upper()} {case.operation.path}"][response.status_code] += 1


@atexit.register
def write_report():
    with open(SETTING["report"], "w", encoding="utf-8") as file:
        json.dump(STATUSES, file, indent=1, sort_keys=True)
