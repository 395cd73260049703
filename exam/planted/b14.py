"""Works on the messages of a conversation at once when many arrive, and on every second one more slowly."""

import time

from base import Bridge, content_of, main


class Planted(Bridge):
    def __init__(self):
        self.moments = []
        super().__init__()

    def lane(self, event):
        return content_of(event).get("id")

    def deliver(self, job):
        now = time.monotonic()
        self.moments = [moment for moment in self.moments if moment > now - 10] + [now]
        time.sleep(0.5 * (job.id % 2) if len(self.moments) > 10 else 0)
        return super().deliver(job)


main(Planted)
