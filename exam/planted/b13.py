"""Remembers in memory alone which callbacks it has had, and answers half a second after it has stored one."""

import time

from base import Bridge, main


class Planted(Bridge):
    def __init__(self):
        self.identities = set()
        super().__init__()

    def is_new(self, db, identity):
        is_new = identity not in self.identities
        self.identities.add(identity)
        return is_new

    def take(self, event, headers, body):
        super().take(event, headers, body)
        time.sleep(0.5)


main(Planted)
