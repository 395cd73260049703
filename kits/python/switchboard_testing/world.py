"""A world: an account, a channel, people, a clock and faults, at an address of its own."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from .client import LONG_SECONDS, Client
from .errors import ApiError, NotMet
from .receiver import Receiver
from .snapshot import Snapshot
from .tested import START_SECONDS, Program
from .values import Account, Channel, Clock, Message, Met, OauthClient, Sent


class World:
    def __init__(self, client: Client, facts: dict) -> None:
        self._client = client
        self._receivers: list[Receiver] = []
        self._programs: list[Program] = []
        self.id: str = facts["id"]
        self.name: str = facts["name"]
        self.seed: int = facts["seed"]
        self.base_url: str = facts["base_url"]
        self.account = Account(facts["account"]["id"], facts["account"]["subdomain"])
        self.channel = Channel(facts["channel"]["id"], facts["channel"]["secret"])
        self.scope_id: str = facts["scope_id"]

    def __repr__(self) -> str:
        return f"<World {self.id} {self.name!r} at {self.base_url}>"

    def facts(self) -> dict[str, Any]:
        """The world as the program describes it now: users, clock, webhook, the time of its end."""
        return self._json("GET")

    @property
    def oauth_client(self) -> OauthClient:
        """The OAuth client of this world, with its newest code."""
        return OauthClient(**self.facts()["oauth_client"])

    # People

    def customer(self, name: str) -> Customer:
        return Customer(self, name)

    def user(self, name: str) -> User:
        """An account user. A user who acts for the first time becomes an administrator of the account."""
        return User(self, name)

    def messages(self, customer: str) -> list[Message]:
        """The messages of the customer's conversation, oldest first."""
        __tracebackhide__ = True
        answer = self._json("GET", f"/customers/{_segment(customer)}/messages")
        return [Message.of(message) for message in answer["messages"]]

    def habits(self) -> list[dict]:
        """The habits that people have, each with how often it is `left`."""
        return self._json("GET", "/habits")["habits"]

    def end_habits(self) -> None:
        self._json("DELETE", "/habits")

    # Time

    def clock(self, mode: str | None = None) -> Clock:
        """The clock, after it was set to `mode` (`skip`, `frozen` or `real`) if one is given."""
        __tracebackhide__ = True
        if mode is None:
            return Clock.of(self.facts()["clock"])
        return Clock.of(self._json("POST", "/clock", {"mode": mode}))

    def advance(self, seconds: float = 0, *, minutes: float = 0, hours: float = 0, days: float = 0) -> Clock:
        """Lets time pass. Every timer on the way fires, and its callbacks are answered before this returns."""
        __tracebackhide__ = True
        total = seconds + 60 * (minutes + 60 * (hours + 24 * days))
        return Clock.of(self._json("POST", "/advance", {"seconds": total}, seconds=LONG_SECONDS))

    def wait(
        self,
        until: str,
        count: int = 1,
        *,
        message: Sent | str | None = None,
        match: str | None = None,
        stage: int | None = None,
        timeout: float | None = None,
        after: Met | int | None = None,
    ) -> Met:
        """Waits until something happened `count` times; raises `NotMet` when it cannot happen any more.

        `timeout` is in seconds of the world. `message` and `match` select entries of the journal, and `after` only
        counts those after an earlier wait. `stage` is the number of the status for `lead.stage`.
        """
        __tracebackhide__ = True
        query = {
            "until": until,
            "count": count,
            "message": message.message_id if isinstance(message, Sent) else message,
            "match": match,
            "stage": stage,
            "timeout": timeout,
            "after": after.cursor if isinstance(after, Met) else after,
        }
        answer = self._json("GET", "/wait", query=query, seconds=LONG_SECONDS)
        if not answer["met"]:
            chosen = [f"{key} {value!r}" for key, value in query.items() if value is not None]
            what = f"The wait ({', '.join(chosen)}) in the world {self.name!r}"
            raise NotMet(what, answer.get("why") or "", answer.get("near") or [], answer.get("cursor"))
        return Met(answer["cursor"], answer.get("entries") or [])

    def wait_for_hook(
        self,
        code: str | None = None,
        count: int = 1,
        *,
        state: str = "delivered",
        timeout: float | None = None,
        after: Met | int | None = None,
    ) -> Met:
        """Waits until hooks are in a state: `delivered`, `failed` or `attempt`. Raises `NotMet` as `wait` does.

        `code`, such as `add_message`, or a text in the form selects the hooks. Each entry has `code`, `form` and `item`.
        """
        __tracebackhide__ = True
        return self.wait(f"hook.{state}", count, match=code, timeout=timeout, after=after)

    # The tested program, callbacks, hooks and faults

    def program(
        self,
        command: Sequence[str | os.PathLike],
        *,
        path: str = "/",
        env: Mapping[str, str] | None = None,
        cwd: str | os.PathLike | None = None,
        seconds: float = START_SECONDS,
    ) -> Program:
        """Starts the tested program, waits until it accepts connections on PORT, and sends the callbacks to it.

        It gets the variables of scenario files, and those of `env`. It ends with the world.
        """
        __tracebackhide__ = True
        program = Program(self.facts(), command, path, env, cwd, seconds)
        self._programs.append(program)
        self.set_webhook(program.url)
        return program

    @property
    def programs(self) -> list[Program]:
        """The tested programs that were started in this world."""
        return list(self._programs)

    def set_webhook(self, url: str | Receiver | None) -> None:
        """Sets where callbacks go. With None, a receiver in the memory of the program answers 200."""
        __tracebackhide__ = True
        self._json("PUT", "/webhook", {"url": url.url if isinstance(url, Receiver) else url})

    def subscribe(self, url: str | Receiver | None = None, settings: Sequence[str] | None = None) -> None:
        """Subscribes an address to events of the account, or to these of them, such as `add_message`.

        Without an address, a receiver in the memory of the program answers 200. Programs may subscribe by themselves.
        """
        __tracebackhide__ = True
        address = url.url if isinstance(url, Receiver) else url
        self._json("PUT", "/hooks", {"url": address, "settings": None if settings is None else list(settings)})

    def hooks(self) -> list[dict]:
        """The webhooks of the account, each with `url`, `settings` and whether it is `disabled`."""
        return self.facts()["hooks"]

    def end_hooks(self) -> None:
        """Ends all webhooks of the account."""
        self._json("DELETE", "/hooks")

    def receiver(self) -> Receiver:
        """Starts a receiver and sends the callbacks of this world to it. It ends with the world."""
        receiver = Receiver(self.channel.secret)
        self._receivers.append(receiver)
        self.set_webhook(receiver)
        return receiver

    def fault(self, on: str, do: str, times: int | None = None, match: str | None = None, **more: Any) -> dict:
        """Starts a fault on `answers`, `media`, `oauth`, `callbacks`, `hooks`, `questions` or `engine`.

        `more` are its settings, such as `status=503`, and `probability` with its `seed`.
        """
        __tracebackhide__ = True
        wanted = {"on": on, "do": do, "times": times, "match": match}
        return self._json("POST", "/faults", {**_given(wanted), **more})

    def faults(self) -> list[dict]:
        return self._json("GET", "/faults")["faults"]

    def end_faults(self) -> None:
        self._json("DELETE", "/faults")

    def restart(self) -> Clock:
        """Stops the service of this world in order and starts it again on its data."""
        return Clock.of(self._json("POST", "/restart", {}, seconds=LONG_SECONDS))

    def snapshot(self) -> Snapshot:
        """Keeps the world as it is now; a world has at most 20 snapshots."""
        return Snapshot(self, self._json("POST", "/snapshots", {})["id"])

    # Journal

    def journal(self, after: Met | int | None = None) -> list[dict]:
        """What happened in this world, oldest first: requests, callbacks, hooks, questions and notes."""
        after = after.cursor if isinstance(after, Met) else after
        text = self._client.text("GET", self._path("/journal"), query={"after": after})
        # Not `splitlines`: a text in an entry may have other separators of lines than this one.
        return [json.loads(line) for line in text.split("\n") if line]

    def journal_text(self) -> str:
        """The journal for people, one line for each entry."""
        return self._client.text("GET", self._path("/journal"), query={"form": "text"})

    # End

    def delete(self) -> None:
        """Ends this world and its receivers."""
        try:
            for program in self._programs:
                program.stop()
            self._json("DELETE")
        finally:
            for receiver in self._receivers:
                receiver.stop()
            self._receivers.clear()

    def __enter__(self) -> World:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self.delete()
        except ApiError as error:
            # The test may have deleted it already, or its time to live is over.
            if error.status not in (404, 410):
                raise

    def _sibling(self, facts: dict) -> World:
        return World(self._client, facts)

    def _path(self, rest: str = "") -> str:
        return f"/worlds/{_segment(self.id)}{rest}"

    def _json(self, method: str, rest: str = "", body: Any = None, **more: Any) -> Any:
        __tracebackhide__ = True
        return self._client.json(method, self._path(rest), body, **more)


class _Person:
    _role: str

    def __init__(self, world: World, name: str) -> None:
        self._world = world
        self.name = name

    def answers(self, text: str, *, after: float, times: int | None = None) -> None:
        """A habit: from now on, answers each message so many seconds of the world after it arrived."""
        __tracebackhide__ = True
        self._keeps({"do": "answers", "after": after, "text": text, "times": times})

    def reads(self, *, after: float, times: int | None = None) -> None:
        """A habit: from now on, reads each message so many seconds of the world after it arrived."""
        __tracebackhide__ = True
        self._keeps({"do": "reads", "after": after, "times": times})

    def end_habits(self) -> None:
        self._world._json("DELETE", self._path("/habits"))

    def _keeps(self, habit: dict) -> None:
        __tracebackhide__ = True
        self._world._json("PUT", self._path("/habits"), _given(habit))

    def _path(self, rest: str) -> str:
        return f"/{self._role}/{_segment(self.name)}{rest}"


class Customer(_Person):
    """A person who writes from the integration's side."""

    _role = "customers"

    def says(self, text: str) -> Sent:
        __tracebackhide__ = True
        return Sent.of(self._world._json("POST", self._path("/say"), {"text": text}))

    def messages(self) -> list[Message]:
        return self._world.messages(self.name)


class User(_Person):
    """An account user, who answers customers."""

    _role = "users"

    def replies(self, text: str, to: str | Customer | None = None) -> Sent:
        """Answers the customer `to`; without it, the one who wrote last."""
        __tracebackhide__ = True
        body = _given({"text": text, "customer": to.name if isinstance(to, Customer) else to})
        return Sent.of(self._world._json("POST", self._path("/reply"), body))

    def takes_over(self, *, after: float, times: int | None = None) -> None:
        """A habit: from now on, becomes responsible for the conversation so many seconds of the world after each message."""
        __tracebackhide__ = True
        self._keeps({"do": "takes_over", "after": after, "times": times})

    def notes(self, text: str, *, after: float, times: int | None = None) -> None:
        """A habit: from now on, writes a note for the team so many seconds of the world after each message."""
        __tracebackhide__ = True
        self._keeps({"do": "notes", "after": after, "text": text, "times": times})

    def snoozes(self, seconds: float, *, after: float, times: int | None = None) -> None:
        """A habit: from now on, snoozes the conversation for `seconds`, or until the customer writes, after each message."""
        __tracebackhide__ = True
        self._keeps({"do": "snoozes", "after": after, "seconds": seconds, "times": times})

    def consents(self) -> str:
        """Agrees that the OAuth client of the world acts for the account; gives the code for its tokens."""
        __tracebackhide__ = True
        return self._world._json("POST", self._path("/consent"), {})["code"]

    @property
    def token(self) -> str:
        """The bearer token of this user for `/api/v4` and `/inbox/v1` at the address of the world."""
        users = {user["name"]: user["token"] for user in self._world.facts()["users"]}
        if self.name not in users:
            raise LookupError(
                f"The world {self._world.name!r} has no user {self.name!r} yet, only {', '.join(users)}. "
                "A user exists after the first reply."
            )
        return users[self.name]


def _segment(name: str) -> str:
    return quote(name, safe="")


def _given(values: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
