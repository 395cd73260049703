"""Takes a message of its customer when the service has it: it waits for Retry-After while the customer writes."""

import time

import base  # noqa: F401
from bridge import Bridge, main


class Right(Bridge):
    def say(self, name, text):
        super().say(name, text)
        while self.store.run(lambda db: db.execute("SELECT 1 FROM jobs WHERE kind = 'post'").fetchone()):
            time.sleep(0.05)


main(Right)
