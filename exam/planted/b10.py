"""Looks for the callback in the store first, and stores it some time later."""

import time

from base import Bridge, main


class Planted(Bridge):
    def take(self, event, headers, body):
        identity = self.identity(event, headers, body)
        query = "SELECT 1 FROM callbacks WHERE identity = ?"
        is_known = self.store.run(lambda db: db.execute(query, (identity,)).fetchone())
        time.sleep(0.2)
        if not is_known:
            super().take(event, headers, body)

    def is_new(self, db, identity):
        super().is_new(db, identity)
        return True


main(Planted)
