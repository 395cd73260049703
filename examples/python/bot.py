"""A bot that watches an account by its hooks, and answers customers: a model of what such a program has to withstand.

It answers a hook when it has stored it, and does the work afterwards: see `bridge_store.py` for the jobs, `bridge_service.py`
for the calls and `bridge_installation.py` for the tokens. It greets each customer's message, as long as no person writes in
the talk, and tags each new person. Each rule is a small method of `Bot`.

Environment: the variables of scenario files. `HOOKS_PATH` is the path and query of its address for hooks (`/hooks`): put a
secret into it, since hooks have no signature. The database is in `SWITCHBOARD_EXAM_DIRECTORY`, else in `STATE_DIRECTORY`, else
in the current directory. An administrator subscribes the address to `add_message`, `add_outgoing_message`, `add_contact` and
`delete_unsorted`.

On `PORT` of 127.0.0.1: `POST` to that path takes hooks. `GET /oauth`, or any other path, takes the browser with `code` and the
uninstall hook."""

import hmac
import json
import os
import re
import time
from urllib.parse import parse_qsl

from bridge_http import Requests, serve
from bridge_installation import Installation
from bridge_service import AGAIN, DONE, AccountStopped, Lost, account_number
from bridge_store import Workers, log, set_facts

FORM = "application/x-www-form-urlencoded"
FIELDS_MAX = 2000
KEY = re.compile(r"(\w{1,32})\[(\w{1,32})\]\[(\d{1,3})\]((?:\[\w{0,64}\])+)", re.ASCII)
NUMBER = re.compile(r"\d{1,18}", re.ASCII)
HOUR = 3600
# In seconds: a question that is older is not answered any more, and a person who has written has the talk for so long.
ANSWER_WITHIN = SILENCE = QUOTA_PAUSE = HOUR
TAG = "Bot"


class PersonWrites(Exception):
    """A person has written in the talk: the bot leaves it to them."""


class Bot(Installation):
    DATABASE = "bot.sqlite"

    def __init__(self, environment=os.environ):
        self.hooks_path = environment.get("HOOKS_PATH", "/hooks")
        super().__init__(environment)
        table = "CREATE TABLE IF NOT EXISTS talks (talk TEXT PRIMARY KEY, person_at INTEGER)"
        self.store.run(lambda db: db.execute(table))
        self.quota_until = float(self.store.fact("quota_until") or 0)
        works = {"answer": self.answer, "tag": self.tag}
        self.workers = {kind: Workers(self.store, kind, work) for kind, work in works.items()}
        self.begin(environment)
        for kind, count in (("answer", 6), ("tag", 1)):
            self.workers[kind].start(count)

    # Hooks: nothing here waits for anything but the disk.

    def on_hook(self, target, headers, body):
        """Returns the status of the answer. It is 200 when the hook is on the disk.

        A hook that is none of ours gets 200, too: too many other answers switch the subscription off."""
        if not hmac.compare_digest(target.encode(), self.hooks_path.encode()):
            return 404
        if headers.get_content_type() != FORM:
            return 415
        account, items = self.parse(body)
        if items and self.is_installed:
            self.take(account, items)
        return 200

    def parse(self, body):
        """Returns the number of the account, and the items of the form, each with its event."""
        try:
            fields = parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=FIELDS_MAX)
        except ValueError:  # Too many fields, or no UTF-8.
            return "", []
        items = {}
        for key, value in fields:
            match = KEY.fullmatch(key)
            if match:
                item = items.setdefault(match.group(1, 2, 3), {})
                name = match[4][1:-1].replace("][", ".")
                # A list may count by itself, as `leads[]`.
                item[f"{name}{len(item)}" if name.endswith(".") else name] = value
        return dict(fields).get("account[id]", ""), [(place[:2], item) for place, item in items.items()]

    def take(self, account, items):
        """Stores what there is to do in one transaction: neither a kill nor a repeat can come between."""
        works = {("message", "add"): self.on_message, ("outgoing_message", "add"): self.on_outgoing,
                 ("contacts", "add"): self.on_contact, ("unsorted", "delete"): self.on_sorted}

        def change(db):
            for event, item in items:
                if event in works:
                    works[event](db, account, item)

        self.store.run(change)

    def on_message(self, db, account, item):
        talk, message = item.get("talk_id", ""), item.get("id", "")
        if message and NUMBER.fullmatch(talk) and self.is_new(db, f"message {message}"):
            question = {"account": account, "id": message, "lead": item.get("entity_id"), "name": item.get("author.name")}
            self.store.add_job(db, "answer", talk, json.dumps(question).encode())

    def on_outgoing(self, db, account, item):
        """A person has the talk from now on. The bot's own messages come here, too, and are nothing to answer."""
        if item.get("author.type") == "internal":
            db.execute("INSERT OR REPLACE INTO talks VALUES (?, ?)", (item.get("talk_id"), int(time.time())))

    def on_contact(self, db, account, item):
        contact = item.get("id", "")
        if self.is_person(item) and NUMBER.fullmatch(contact) and self.is_new(db, f"contact {contact}"):
            self.store.add_job(db, "tag", contact, json.dumps({"account": account}).encode())

    def is_person(self, item):
        return item.get("type") == "contact"  # Companies come under the same name.

    def on_sorted(self, db, account, item):
        """A lead is unsorted no more. One that was declined gets no answer; one that was accepted goes on."""
        if item.get("action") != "decline":
            return
        leads = [value for name, value in item.items() if name.startswith("decline_result.leads.")]
        for row in db.execute("SELECT id, body FROM jobs WHERE kind = 'answer'").fetchall():
            if json.loads(row["body"])["lead"] in leads:
                db.execute("DELETE FROM jobs WHERE id = ?", (row["id"],))

    # The work.

    def answer(self, job):
        question = json.loads(job.body)
        if time.time() > job.at + ANSWER_WITHIN:
            return self.leave(job, "it is too old")
        if time.time() < self.quota_until:
            return self.leave(job, "the quota of messages is used up")
        name = f", {question['name']}" if question["name"] else ""
        value = {"text": f"Thank you{name}. We have your message, and answer soon."}
        path = f"/api/v4/talks/{job.lane}/send_message"
        return self.work_off(job, "POST", path, value, lambda: self.last_look(job, question))

    def last_look(self, job, question):
        """Raises if the message must not leave any more. The id of the question makes repeats one message."""
        query = "SELECT 1 FROM talks WHERE talk = ? AND person_at > ?"
        if self.store.run(lambda db: db.execute(query, (job.lane, time.time() - SILENCE)).fetchone()):
            raise PersonWrites
        return {"Idempotency-Key": question["id"]}

    def tag(self, job):
        return self.work_off(job, "PATCH", f"/api/v4/contacts/{job.lane}", {"tags_to_add": [{"name": TAG}]})

    def work_off(self, job, method, path, value, more=lambda: {}):
        """Makes the call of a job. Returns `None` when that is done or left, else the seconds until the next attempt."""
        if not self.is_installed:
            return self.leave(job, "the account has uninstalled the bot")
        if self.tokens and json.loads(job.body)["account"] != account_number(self.tokens):
            return self.leave(job, "it is of another account")
        try:
            answer = self.account_call(method, path, value, more)
        except AccountStopped:
            return 0.5
        except PersonWrites:
            return self.leave(job, "a person has written in the talk")
        except Lost as why:
            log(f"{job.kind} of {job.lane} is repeated: {why}")
            return self.backoff(job.tries)
        return self.finish(job, answer)

    def finish(self, job, answer):
        if self.is_over_quota(answer):
            self.quota_until = time.time() + QUOTA_PAUSE
            self.store.run(lambda db: set_facts(db, quota_until=str(self.quota_until)))
            return self.leave(job, f"the quota of messages is used up: nothing is sent for an hour. {answer}")
        verdict = self.verdict(answer)
        if verdict == AGAIN:
            log(f"{job.kind} of {job.lane} is repeated: {answer}")
            return self.backoff(job.tries)
        if verdict != DONE:
            return self.leave(job, str(answer))
        return self.end(job)

    def leave(self, job, why):
        log(f"{job.kind} of {job.lane} is left: {why}")
        return self.end(job)

    def end(self, job):
        self.store.run(lambda db: db.execute("DELETE FROM jobs WHERE id = ?", (job.id,)))

    def is_over_quota(self, answer):
        return answer.status == 402 and "Over chat API limit" in str(answer.json().get("detail"))

    def is_blocked(self, answer):
        return super().is_blocked(answer) and not self.is_over_quota(answer)

    def is_refused(self, answer):
        """Returns whether a repeat would be in vain: also if the bot has no right or no scope."""
        return super().is_refused(answer) or answer.status == 403 and answer.is_json

    def on_exam(self, method, path, body):
        return 404, "{}"  # A bot has no outside that the exam does not see.


class HookRequests(Requests):
    def post(self, body):
        return self.bridge.on_hook(self.path, self.headers, body)


def main(kind=Bot):
    os.umask(0o077)  # The database has tokens.
    serve(kind(), HookRequests)


if __name__ == "__main__":
    main(Bot)
