"""Keeps all callbacks in memory, with 300 KiB for each."""

from base import Bridge, main


class Planted(Bridge):
    def __init__(self):
        self.callbacks = []
        super().__init__()

    def take(self, event, headers, body):
        self.callbacks.append(body.ljust(300 << 10))
        super().take(event, headers, body)


main(Planted)
