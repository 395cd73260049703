"""Answers the callback when the customer has the message."""

import time

from base import Bridge, main


class Planted(Bridge):
    def take(self, event, headers, body):
        super().take(event, headers, body)
        query = "SELECT 1 FROM jobs WHERE kind = 'deliver' AND lane = ?"
        while self.store.run(lambda db: db.execute(query, (self.lane(event),)).fetchone()):
            time.sleep(0.05)


main(Planted)
