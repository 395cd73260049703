"""The calls of the bridge to the service: signed ones of the chat interface, and those of the account side with OAuth tokens.

Everything that leaves goes through `send`: at most seven requests in a second, and none while the service wants a pause."""

import base64
import email.utils
import hashlib
import hmac
import http.client
import json
import queue
import re
import threading
import time
import urllib.error
import urllib.request

from bridge_store import log, set_facts

TIMEOUT = 30  # In seconds. An OAuth code works once: if its answer is given up, an administrator has to agree again.
ANSWER_MAX = 4 << 20
BACKOFF_MAX = 5
RETRY_AFTER_MAX = 3600
CLOCK_TOLERANCE = 60
TOKEN_MIN_SECONDS = 30
SECRET_SECONDS = 86_400
JSON = "application/json"
# What became of a request: it is done; it is to be repeated unchanged; or the service refused it, and a repeat would not help.
DONE, AGAIN, REFUSED = "done", "again", "refused"


class Lost(Exception):
    """No whole answer: the service may have done what it was asked for, or not."""


class AccountStopped(Exception):
    """The account side has no valid tokens. A person has to consent again."""


class NoRedirect(urllib.request.HTTPRedirectHandler):
    """Gives redirects back as they are: a signed request is valid at one address."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(NoRedirect)


class Answer:
    def __init__(self, status, headers, body):
        self.status, self.headers, self.body = status, headers, body
        self.is_json = "json" in headers.get("Content-Type", "").lower()  # A page of a gateway is never parsed.

    def json(self):
        try:
            value = json.loads(self.body) if self.is_json else {}
        except ValueError:
            value = {}
        return value if isinstance(value, dict) else {}

    def __str__(self):
        return f"{self.status} {self.body[:300].decode('utf-8', 'replace')}" if self.is_json else f"{self.status} (no JSON)"


class Service:
    RATE = 7

    def __init__(self, environment, store):
        self.store = store
        self.url = environment["SWITCHBOARD_URL"].rstrip("/")
        self.account_id = environment["SWITCHBOARD_ACCOUNT_ID"]
        self.channel_id = environment["SWITCHBOARD_CHANNEL_ID"]
        self.scope_id = environment["SWITCHBOARD_SCOPE_ID"]
        self.client_id = environment.get("SWITCHBOARD_CLIENT_ID", "")
        self.client_secret = environment.get("SWITCHBOARD_CLIENT_SECRET", "")
        self.redirect_uri = environment.get("SWITCHBOARD_REDIRECT_URI", "")
        self.secrets = self.read_secrets(environment)  # The first one signs.
        self.slots = queue.Queue()
        for _ in range(self.RATE):
            self.slots.put(0)
        self.gate = threading.Lock()
        self.closed_until, self.blocks, self.offset, self.offset_in_log = 0, 0, 0, 0
        self.refresh_lock, self.refreshed_at = threading.Lock(), -TOKEN_MIN_SECONDS
        self.stopped_until, self.refusals = float(store.fact("stopped_until") or 0), 0
        self.tokens = json.loads(store.fact("tokens") or "{}")

    def read_secrets(self, environment):
        """Returns the secrets of the channel: two are valid during a rotation, so one that was changed is kept for a day."""
        names = ("SWITCHBOARD_CHANNEL_SECRET", "SWITCHBOARD_CHANNEL_SECRET_NEXT")
        secrets = [environment[name] for name in names if environment.get(name)]
        memory = json.loads(self.store.fact("secrets") or "{}")
        if memory.get("secrets") != secrets:
            memory = {"secrets": secrets, "before": memory.get("secrets", []), "changed_at": time.time()}
            self.store.run(lambda db: set_facts(db, secrets=json.dumps(memory)))
        before = memory["before"] if time.time() < memory["changed_at"] + SECRET_SECONDS else []
        return [secret.encode() for secret in dict.fromkeys(secrets + before)]

    # Every request.

    def send(self, method, path, body=None, headers=lambda: {}):
        """Returns the whole answer, whatever its status, or raises `Lost`. `headers` is called when the request leaves."""
        free_at = self.slots.get()
        try:
            with self.gate:
                while max(free_at, self.closed_until) > time.monotonic():  # A pause may become longer.
                    pause(max(free_at, self.closed_until))
                if self.blocks:  # One request tries whether the pause is over, and the others wait for its answer.
                    return self.request(method, path, body, headers())
            return self.request(method, path, body, headers())
        finally:
            # A second after the end, so that no second at the service has more than RATE requests, however slow the way is.
            self.slots.put(time.monotonic() + 1)

    def request(self, method, path, body, headers):
        request = urllib.request.Request(self.url + path, body, headers, method=method)
        try:
            with OPENER.open(request, timeout=TIMEOUT) as response:
                answer = Answer(response.status, response.headers, response.read(ANSWER_MAX))
        except urllib.error.HTTPError as error:
            answer = Answer(error.code, error.headers, read_what_there_is(error))
        except (OSError, http.client.HTTPException) as error:
            raise Lost(repr(error)) from None
        self.watch_clock(answer)
        self.watch_gate(answer)
        return answer

    def take_slot(self):
        """Waits until another request may leave: a file of the service counts, too, but not as long as it takes."""
        pause(self.slots.get())
        self.slots.put(time.monotonic() + 1)

    def watch_gate(self, answer):
        if self.is_blocked(answer):
            self.close_gate(self.patience(), answer)
        elif answer.status in (429, 503) and self.retry_after(answer):
            self.close_gate(self.retry_after(answer), answer)
        else:
            self.blocks = 0

    def close_gate(self, seconds, answer):
        now = time.monotonic()
        if now >= self.closed_until:  # The requests under way at that moment do not make the pause longer.
            self.blocks += 1
            log(f"no requests for {seconds:.0f} s: the service answers {answer}")
        self.closed_until = max(self.closed_until, now + seconds)

    def patience(self):
        return min(300, 3 * 2**self.blocks)

    def is_blocked(self, answer):
        """Returns whether the account or this address may send nothing at all: it is no mistake of this one request."""
        return answer.status == 402 or answer.status == 403 and not answer.is_json

    def retry_after(self, answer):
        """Returns the seconds that the service wants to be left alone; 0 if it does not say."""
        value = answer.headers.get("Retry-After", "").strip()
        if value.isdecimal():
            return min(RETRY_AFTER_MAX, int(value))
        moment = read_date(value)
        return min(RETRY_AFTER_MAX, max(0, moment - self.now())) if moment else 0

    def verdict(self, answer):
        if answer.status < 300:
            return AGAIN if "html" in answer.headers.get("Content-Type", "") else DONE
        return REFUSED if self.is_refused(answer) else AGAIN

    def is_refused(self, answer):
        """Returns whether this very request is wrong. Other refusals are about tokens, secrets, times, or the service."""
        return 400 <= answer.status < 500 and answer.status not in (401, 402, 403, 408, 425, 429)

    def backoff(self, tries):
        return min(BACKOFF_MAX, 0.2 * 2 ** min(tries, 20))

    # The clock.

    def now(self):
        """The time by the clock of the service."""
        return time.time() + self.offset

    def watch_clock(self, answer):
        """Goes by the clock of the service if that of this machine is wrong, and says so."""
        moment = read_date(answer.headers.get("Date", ""))
        offset = moment - time.time() if moment else self.offset
        offset = offset if abs(offset) > CLOCK_TOLERANCE else 0
        if self.is_date_refused(answer) and abs(offset - self.offset) < CLOCK_TOLERANCE:
            offset = self.offset - minutes_ahead(answer.json()["hint"]) * 60  # The header is not from the clock that judges.
        if abs(offset - self.offset_in_log) > CLOCK_TOLERANCE:
            direction = "behind" if offset > 0 else "ahead of"
            log(f"the clock of this machine is {abs(offset):.0f} s {direction} that of the service: set it")
            self.offset_in_log = offset
        self.offset = offset

    def is_date_refused(self, answer):
        hint = answer.json().get("hint") if answer.status == 403 else None
        return isinstance(hint, str) and "Date is" in hint

    # The chat interface.

    def sign(self, data, secret):
        return hmac.new(secret, data, hashlib.sha1).hexdigest()

    def chat_call(self, method, path, body):
        """Returns the answer to a request with a signature of the current form. `path` is a quoted one."""
        secret = self.secrets[0]

        def headers():
            signed = {"Content-MD5": hashlib.md5(body).hexdigest(), "Content-Type": JSON,
                      "Date": email.utils.formatdate(self.now(), usegmt=True)}
            text = "\n".join([method, *signed.values(), path]).encode()
            return {**signed, "X-Signature": self.sign(text, secret)}

        answer = self.send(method, path, body, headers)
        if answer.status == 403 and answer.is_json and not self.is_date_refused(answer):
            log(f"the service refuses the signature: {answer}")
            if len(self.secrets) > 1 and self.secrets[0] == secret:
                self.secrets.append(self.secrets.pop(0))  # The rotation is over.
        return answer

    def connect(self):
        body = {"account_id": self.account_id, "title": "Bridge", "hook_api_version": "v2"}
        return self.chat_call("POST", f"/v2/origin/custom/{self.channel_id}/connect", json.dumps(body).encode())

    # The account side.

    def account_call(self, method, path, value=None, more=lambda: {}):
        """Returns the answer. After a 401 it refreshes the tokens, and repeats the call once.

        `more` gives further headers when the request leaves, or raises if it must not leave any more."""
        if self.stopped_until > time.time() or not self.tokens:
            raise AccountStopped
        body = None if value is None else json.dumps(value).encode()
        access = self.tokens["access_token"]
        answer = self.send(method, path, body, lambda: {**bearer(access), **more()})
        if answer.status == 401:
            fresh = self.renew(access)
            answer = self.send(method, path, body, lambda: {**bearer(fresh), **more()})
        return answer

    def renew(self, access):
        """Returns a token that is newer than `access`: one refresh for all threads whose calls got 401 with the same token."""
        with self.refresh_lock:
            if self.tokens.get("access_token") == access:
                if time.monotonic() < self.refreshed_at + TOKEN_MIN_SECONDS:
                    raise Lost("a new token is refused, and another refresh would not help")
                self.refresh()
                self.refreshed_at = time.monotonic()
            if not self.tokens:
                raise AccountStopped
            return self.tokens["access_token"]

    def refresh(self):
        if self.stopped_until > time.time():
            raise AccountStopped
        answer = self.request_tokens(grant_type="refresh_token", refresh_token=self.tokens["refresh_token"])
        if self.verdict(answer) == DONE:
            self.keep_tokens(answer.json())
        else:
            self.stop_account(answer)

    def request_tokens(self, **grant):
        """Returns new tokens or a refusal. Raises `Lost` after anything that may pass by itself."""
        value = {"client_id": self.client_id, "client_secret": self.client_secret, **grant}
        answer = self.send("POST", "/oauth2/access_token", json.dumps(value).encode(), lambda: {"Content-Type": JSON})
        is_grant = answer.status < 300 and "access_token" in answer.json() and "refresh_token" in answer.json()
        if not is_grant and not self.is_refused(answer) and answer.json().get("error") != "invalid_client":
            raise Lost(str(answer))
        return answer

    def keep_tokens(self, tokens, code=None):
        """Stores the tokens before they are used: the old refresh token is spent, and a kill must not lose the new one."""
        kept = {name: tokens[name] for name in ("access_token", "refresh_token")}
        facts = {"tokens": json.dumps(kept), "stopped_until": "0", **({"exchanged_code": code} if code else {})}
        self.store.run(lambda db: set_facts(db, **facts))
        self.tokens, self.stopped_until, self.refusals = kept, 0, 0

    def stop_account(self, answer):
        seconds = self.refusal_wait()
        self.refusals += 1
        self.stopped_until = time.time() + seconds
        self.store.run(lambda db: set_facts(db, stopped_until=str(self.stopped_until)))
        log(f"the account side stops: its tokens are refused, and an administrator has to consent again. {answer}")
        raise AccountStopped

    def refusal_wait(self):
        return min(3600, 65 * 2**self.refusals)


def pause(until):
    time.sleep(max(0, until - time.monotonic()))


def account_number(tokens):
    """The number of the account, from the claims of its access token, which came from the service itself."""
    try:
        claims = tokens["access_token"].split(".")[1]
        return str(json.loads(base64.urlsafe_b64decode(claims + "=="))["account_id"])
    except (KeyError, IndexError, ValueError, TypeError):
        return None


def bearer(access):
    return {"Authorization": f"Bearer {access}", "Content-Type": JSON}


def read_what_there_is(response):
    try:
        return response.read(ANSWER_MAX)
    except (OSError, http.client.HTTPException):
        return b""


def read_date(text):
    try:
        return email.utils.parsedate_to_datetime(text).timestamp()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def minutes_ahead(hint):
    """Returns the minutes of «Date is 22 minutes ahead of our clock»; behind is less than 0."""
    match = re.search(r"Date is (\d+) minutes (ahead|behind)", hint)
    return int(match[1]) * (1 if match[2] == "ahead" else -1) if match else 0
