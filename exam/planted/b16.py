"""Drops a message that is older than the newest one of its conversation."""

from base import Bridge, main, written_at


class Planted(Bridge):
    def __init__(self):
        self.newest = {}
        super().__init__()

    def take(self, event, headers, body):
        if written_at(event) >= self.newest.get(self.lane(event), 0):
            self.newest[self.lane(event)] = written_at(event)
            super().take(event, headers, body)


main(Planted)
