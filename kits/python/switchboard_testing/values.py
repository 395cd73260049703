"""What the functions of a world return."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone


@dataclass(frozen=True)
class Account:
    id: str
    subdomain: str


@dataclass(frozen=True)
class Channel:
    id: str
    secret: str


@dataclass(frozen=True)
class OauthClient:
    """The OAuth client of a world. The newest `code` is valid for 20 minutes of the world's time, and once."""

    id: str
    secret: str
    redirect_uri: str
    code: str


@dataclass(frozen=True)
class Clock:
    """The clock of a world: its mode (`skip`, `frozen` or `real`) and its time."""

    mode: str
    now_ms: int

    @property
    def now(self) -> datetime:
        return datetime.fromtimestamp(self.now_ms / 1000, timezone.utc)

    @classmethod
    def of(cls, facts: dict) -> Clock:
        return cls(facts["mode"], facts["now_ms"])


@dataclass(frozen=True)
class Message:
    """A message of a conversation. `direction` is `in` from a customer and `out` from an account user."""

    id: str
    direction: str
    text: str

    @classmethod
    def of(cls, facts: dict) -> Message:
        return cls(facts["id"], facts["direction"], facts["text"])


@dataclass(frozen=True)
class Sent:
    """A message that was just written. `msgid` is the id that the customer's side gave it; a reply has none."""

    message_id: str
    conversation_id: str
    msgid: str | None = None

    @classmethod
    def of(cls, facts: dict) -> Sent:
        return cls(facts["message_id"], facts["conversation_id"], facts.get("msgid"))


@dataclass(frozen=True)
class Met:
    """A wait that was met: the entries of the journal that met it, and the cursor behind them."""

    cursor: int
    entries: list[dict]
