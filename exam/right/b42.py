"""Waits for the answer of its messenger to one message until it is killed: then it sends the message again, as it has to."""

import threading

import base  # noqa: F401
from bridge import Bridge, content_of, main
from bridge_store import set_facts

TEXT = "Reply 4."


class Right(Bridge):
    def deliver(self, job):
        event = self.parse(job.body)
        content = content_of(event)
        if self.text(content) == TEXT and not self.store.fact("lost"):
            self.store.run(lambda db: self.arrive(db, event, content))
            threading.Event().wait()
        return super().deliver(job)

    def arrive(self, db, event, content):
        self.show(db, content["id"], self.find_chat(db, event), content)
        set_facts(db, lost="yes")


main(Right)
