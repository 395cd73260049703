"""A bridge between Switchboard and a messenger of its own: a model of what an integration has to withstand.

It answers a callback when it has stored it, and does the work afterwards: see `bridge_store.py` for the jobs and
`bridge_service.py` for the calls. Each rule is a small method of `Bridge`.

Environment: the variables of scenario files; `SWITCHBOARD_CHANNEL_SECRET_NEXT` while the operator rotates the secret. The
database is in `SWITCHBOARD_EXAM_DIRECTORY`, else in `STATE_DIRECTORY`, else in the current directory. The account
is connected already: the environment has its scope id.

On `PORT` of 127.0.0.1: `POST /`, or any other path, takes callbacks. `GET /oauth`, or any other path, takes the browser with
`code` and the uninstall hook. `/exam/…` is the outside, the messenger of the exam, only with `SWITCHBOARD_EXAM_DIRECTORY`."""

import hashlib
import hmac
import http.client
import json
import os
import time
import urllib.error
import uuid
from urllib.parse import quote

from bridge_forms import button_lines, content_of, is_edit, message_of, part_of, text_of, written_at
from bridge_http import serve
from bridge_installation import DAY, Installation
from bridge_service import AGAIN, DONE, OPENER, REFUSED, AccountStopped, Lost
from bridge_store import Workers, log

MEDIA_MAX = 20 << 20
MEDIA_SECONDS = 10
MEDIA_TRIES = 3
FAILURES_MAX = 5
# The types that the messenger can show, with the kinds of files that they may be.
TYPES = {"text": None, "contact": None, "location": None, "file": ("",), "picture": ("image/",), "video": ("video/",),
         "voice": ("audio/", "application/ogg"), "audio": ("audio/", "application/ogg"), "sticker": ("image/", "video/")}
OTHER_ERROR = 905


class Obstacle(Exception):
    """The reason why a message cannot reach the customer, for the account user."""


class Bridge(Installation):
    def __init__(self, environment=os.environ):
        super().__init__(environment)
        self.takes = 0
        # A slow outside holds up none of the calls, and reports hold up no message.
        works = {"deliver": self.deliver, "post": self.post, "report": self.report, "contact": self.update_contact}
        self.workers = {kind: Workers(self.store, kind, work) for kind, work in works.items()}
        self.begin(environment)
        for kind, count in (("deliver", 32), ("post", 7), ("report", 4), ("contact", 4)):
            self.workers[kind].start(count)

    # Callbacks: nothing here waits for anything but the disk.

    def on_callback(self, headers, body):
        """Returns the status of the answer. It is 200 when the callback is on the disk."""
        if not self.is_signed(body, headers.get("X-Signature", "")):
            return 403
        if headers.get_content_type() != "application/json":
            return 415
        event = self.parse(body)
        if event is None:
            return 400
        if not self.is_mine(event):
            return 404
        if is_edit(event) or content_of(event):
            self.take(event, headers, body)
        else:
            self.on_action(event)
        return 200

    def is_signed(self, body, signature):
        data = self.signed_bytes(body)
        signatures = [self.sign(data, secret) for secret in self.callback_secrets()]
        return any([hmac.compare_digest(right.encode(), signature.encode()) for right in signatures])

    def signed_bytes(self, body):
        return body  # As they came: another writer of JSON has other spaces and escapes.

    def callback_secrets(self):
        return self.secrets

    def parse(self, body):
        try:
            event = json.loads(body)
        except (ValueError, RecursionError):
            return None
        return event if isinstance(event, dict) else None

    def is_mine(self, event):
        return self.is_installed and event.get("account_id") == self.account_id

    def on_action(self, event):
        """Typing, reactions, and whatever comes next: this messenger shows none of it."""

    def take(self, event, headers, body):
        """Stores the callback and its job in one transaction: neither a kill nor a repeat can come between."""
        identity = self.identity(event, headers, body)
        self.store.run(lambda db: self.store_callback(db, event, identity, body))

    def store_callback(self, db, event, identity, body):
        if self.is_new(db, identity):
            self.store.add_job(db, "deliver", self.lane(event), body, rank=written_at(event))

    def identity(self, event, headers, body):
        """The name of the callback: the same in each attempt, and another one for the next edit of a message."""
        content = content_of(event)
        name = text_of(content.get("id")) or text_of(headers.get("webhook-id")) or hashlib.sha1(body).hexdigest()
        if not is_edit(event):
            return f"message {name}"
        version = hashlib.sha1(json.dumps([self.text(content), written_at(event)]).encode()).hexdigest()
        return f"edit {name} {version}"

    def lane(self, event):
        """The conversation: its messages are delivered one after the other."""
        conversation = part_of(message_of(event), "conversation")
        return text_of(conversation.get("id")) or text_of(conversation.get("client_id"))

    # The way to the customer.

    def deliver(self, job):
        event = self.parse(job.body)
        try:
            if not is_edit(event):
                self.check(content_of(event), job)
            time.sleep(self.takes)
            obstacle = None
        except Obstacle as reason:
            obstacle = str(reason)
        except Lost as why:
            log(f"a file is fetched again: {why}")
            return self.backoff(job.tries)
        except Exception as error:
            if job.tries < FAILURES_MAX:
                raise
            obstacle = f"The bridge cannot work on this message: {error!r}"
        self.store.run(lambda db: self.store_delivery(db, job, event, obstacle))

    def store_delivery(self, db, job, event, obstacle):
        """Shows the message, orders its report and ends the job in one transaction: a kill repeats all of it or nothing."""
        content = content_of(event)
        msgid = text_of(content.get("id"))
        if is_edit(event):
            self.edit(db, msgid, self.text(content))
        else:
            if obstacle is None:
                self.show(db, msgid, self.find_chat(db, event), content)
            for body in self.reports(msgid, obstacle) if msgid else ():
                self.store.add_job(db, "report", msgid, json.dumps(body).encode())
        db.execute("DELETE FROM jobs WHERE id = ?", (job.id,))

    def show(self, db, msgid, conversation, content):
        row = (msgid, conversation, self.text(content))
        db.execute("INSERT INTO seen (msgid, conversation, text) VALUES (?, ?, ?)", row)

    def edit(self, db, msgid, text):
        if not db.execute("UPDATE seen SET text = ? WHERE msgid = ?", (text, msgid)).rowcount:
            log(f"an edit of the message {msgid}, which has not been here, is left")

    def check(self, content, job):
        """Raises `Obstacle` if the message cannot be shown. A file is fetched, as for a messenger that wants its bytes."""
        kind = text_of(content.get("type"))
        if kind not in TYPES:
            raise Obstacle(f"This messenger has no messages of the type «{kind}».")
        if TYPES[kind]:
            self.fetch(text_of(content.get("media")), TYPES[kind], job)

    def fetch(self, url, kinds, job):
        if not url.startswith(("http://", "https://")):
            raise Obstacle("The file has no address of the web.")
        if url.startswith(f"{self.url}/"):
            self.take_slot()
        try:
            with OPENER.open(quote(url, safe=":/?#[]@!$&'()*+,;=%~"), timeout=MEDIA_SECONDS) as response:
                media_type, declared = response.headers.get_content_type(), response.headers.get("Content-Length", "")
                if media_type == "text/html" or not media_type.startswith(kinds):
                    raise Obstacle(f"The address of the file answers with the type {media_type}.")
                size = self.read_media(response, int(declared) if declared.isdecimal() else 0)
            if declared.isdecimal() and size != int(declared):
                raise Lost(f"{size} of {declared} bytes")
        except urllib.error.HTTPError as error:
            if error.code < 500 or job.tries + 1 >= MEDIA_TRIES:
                raise Obstacle(f"The address of the file answers {error.code}.") from None
            raise Lost(str(error)) from None
        except TimeoutError:
            raise Obstacle(f"The file is not here after {MEDIA_SECONDS} seconds.") from None
        except (OSError, http.client.HTTPException, ValueError, Lost) as error:
            if "timed out" in str(error) or job.tries + 1 >= MEDIA_TRIES:
                raise Obstacle(f"The file cannot be fetched: {error}") from None
            raise Lost(repr(error)) from None

    def read_media(self, response, declared):
        size, end = 0, time.monotonic() + MEDIA_SECONDS
        while max(size, declared) <= MEDIA_MAX:
            chunk = response.read1(1 << 16)
            size += len(chunk)
            if not chunk:
                return size
            if time.monotonic() > end:
                raise TimeoutError
        raise Obstacle(f"The file is larger than {MEDIA_MAX >> 20} MiB.")

    def text(self, content):
        """The plain text that the customer reads: nothing in it is a command, a page or a path."""
        lines = [text_of(content.get("text")) or text_of(part_of(content, "template").get("content"))]
        lines += [text_of(content.get("file_name"))] + [text_of(value) for value in part_of(content, "contact").values()]
        lines += [f"{value}" for value in part_of(content, "location").values() if isinstance(value, (int, float))]
        lines += button_lines(part_of(content, "markup"))
        return "\n".join(line for line in lines if line)

    def find_chat(self, db, event):
        """Returns our id of the conversation. One that an account user has started gets a chat of its own outside."""
        message = message_of(event)
        person, chat = part_of(message, "receiver"), part_of(message, "conversation")
        ours, ref = text_of(chat.get("client_id")), text_of(chat.get("id"))
        query = "SELECT conversation FROM chats WHERE conversation = ? OR chat_ref = ? AND chat_ref <> ''"
        row = db.execute(query, (ours, ref)).fetchone()
        if row:
            return ours or row["conversation"]
        conversation = ours or f"chat-{ref}"
        customer = text_of(person.get("client_id")) or f"customer-{text_of(person.get('id')) or ref}"
        name = text_of(person.get("name")) or text_of(person.get("phone")) or "Customer"
        row = (conversation, customer, name, text_of(person.get("phone")), ref, text_of(person.get("id")), not ours, 0)
        db.execute("INSERT INTO chats VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        return conversation

    def reports(self, msgid, obstacle):
        """The delivery reports of a message, in their order, with the id that the service has given it."""
        if obstacle is None:
            return [{"msgid": msgid, "delivery_status": 1}]
        return [{"msgid": msgid, "delivery_status": -1, "error_code": OTHER_ERROR, "error": obstacle}]

    def report(self, job):
        path = f"/v2/origin/custom/{self.scope_id}/{quote(job.lane, safe='')}/delivery_status"
        return self.work_off(job, path, lambda db, answer: None)

    # The way to the service.

    def say(self, name, text):
        """Stores a message of a customer, its id and its exact body, before the first attempt to post it."""
        self.store.run(lambda db: self.store_message(db, name, text))

    def store_message(self, db, name, text):
        order = "? = conversation DESC, ? = customer DESC"
        query = f"SELECT * FROM chats WHERE ? IN (conversation, customer, phone, name) ORDER BY {order}"
        chat = db.execute(query, (name, name, name)).fetchone()
        if not chat:
            db.execute("INSERT INTO chats VALUES (?, ?, ?, '', '', '', 0, 0)", (f"chat-{name}", name, name))
            chat = db.execute("SELECT * FROM chats WHERE conversation = ?", (f"chat-{name}",)).fetchone()
        sender = {"id": chat["customer"], "name": chat["name"]}
        if chat["phone"]:
            sender["profile"] = {"phone": chat["phone"]}
        now = self.now()
        payload = {"timestamp": int(now), "msec_timestamp": int(now * 1000), "msgid": str(uuid.uuid4()), "sender": sender,
                   "conversation_id": chat["conversation"], "message": {"type": "text", "text": text}}
        if chat["is_from_service"]:
            self.add_refs(payload, chat)
        body = json.dumps({"event_type": "new_message", "payload": payload}).encode()
        self.store.add_job(db, "post", chat["conversation"], body)

    def add_refs(self, payload, chat):
        """Binds our ids to those of a conversation that an account user has started."""
        payload["conversation_ref_id"] = chat["chat_ref"]
        payload["sender"]["ref_id"] = chat["customer_ref"]

    def post(self, job):
        return self.work_off(job, f"/v2/origin/custom/{self.scope_id}", lambda db, answer: self.store_post(db, job, answer))

    def store_post(self, db, job, answer):
        ref = text_of(part_of(answer.json(), "new_message").get("conversation_id"))
        chat = db.execute("SELECT * FROM chats WHERE conversation = ?", (job.lane,)).fetchone()
        if ref and chat and not chat["contact"]:
            db.execute("UPDATE chats SET chat_ref = ?, contact = 1 WHERE conversation = ?", (ref, job.lane))
            self.store.add_job(db, "contact", job.lane, b"")

    def work_off(self, job, path, on_success):
        """Posts the body of the job. Returns `None` when that is done or refused, else the seconds until the next attempt."""
        if not self.is_installed:
            return 1
        try:
            answer = self.chat_call("POST", path, job.body)
            verdict = self.verdict(answer)
        except Lost as why:
            answer, verdict = why, self.after_loss(job)
        if verdict == AGAIN and not self.gives_up(job):
            log(f"{job.kind} {job.id} is repeated: {answer}")
            return self.backoff(job.tries)
        if verdict != DONE:
            log(f"{job.kind} {job.id} of «{job.lane}» is left: {answer}")

        def finish(db):
            if verdict == DONE:
                on_success(db, answer)
            db.execute("DELETE FROM jobs WHERE id = ?", (job.id,))

        self.store.run(finish)
        return None

    def after_loss(self, job):
        """The verdict without an answer. The repeat has the same bytes, so the service stores the message once."""
        return AGAIN

    def gives_up(self, job):
        return time.time() - job.at > DAY

    # The account side: the contact of a new customer gets the name and the telephone that the messenger knows.

    def after_install(self):
        """Connects the account again if it had uninstalled the bridge."""
        if not self.is_installed and self.verdict(self.connect()) != DONE:
            raise Lost("the account is not connected")

    def update_contact(self, job):
        chat = self.store.run(lambda db: db.execute("SELECT * FROM chats WHERE conversation = ?", (job.lane,)).fetchone())
        try:
            seconds = self.work_on_contact(chat) if self.is_installed else 1
        except AccountStopped:
            return 1
        except Lost as why:
            log(f"the contact of «{job.lane}» is updated later: {why}")
            return self.backoff(job.tries)
        if seconds is None:
            self.store.run(lambda db: db.execute("DELETE FROM jobs WHERE id = ?", (job.id,)))
        return seconds

    def work_on_contact(self, chat):
        answer = self.account_call("GET", f"/api/v4/contacts/chats?chat_id={quote(chat['chat_ref'], safe='')}")
        links = part_of(answer.json(), "_embedded").get("chats")
        if answer.status == 200 and isinstance(links, list) and links:
            value = {"name": chat["name"]}
            if chat["phone"]:
                value["custom_fields_values"] = [{"field_code": "PHONE", "values": [{"value": chat["phone"]}]}]
            answer = self.account_call("PATCH", f"/api/v4/contacts/{int(links[0]['contact_id'])}", value)
        if self.verdict(answer) == REFUSED:
            log(f"the contact of «{chat['conversation']}» is left: {answer}")
        elif self.verdict(answer) == AGAIN:
            raise Lost(str(answer))
        return None

    # The outside: a messenger that only the exam sees.

    def on_exam(self, method, path, body):
        value = self.parse(body) or {}
        if (method, path) == ("GET", "/exam/seen"):
            rows = self.store.run(lambda db: db.execute("SELECT msgid, conversation, text FROM seen ORDER BY id").fetchall())
            return 200, json.dumps([dict(row) for row in rows])
        if (method, path) == ("POST", "/exam/outside") and isinstance(value.get("takes"), (int, float)):
            self.takes = min(DAY, max(0, value["takes"]))
            return 200, "{}"
        if (method, path) == ("POST", "/exam/say") and text_of(value.get("from")) and text_of(value.get("text")):
            self.say(text_of(value["from"]), text_of(value["text"]))
            return 201, "{}"
        return 404, "{}"


def main(kind=Bridge):
    os.umask(0o077)  # The database has tokens.
    serve(kind())


if __name__ == "__main__":
    main(Bridge)
