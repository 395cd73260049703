"""Answers 200 before it has stored the callback when its messenger is slow."""

import threading

from base import Bridge, main


class Planted(Bridge):
    def take(self, event, headers, body):
        if self.takes:
            threading.Timer(self.takes, super().take, (event, headers, body)).start()
        else:
            super().take(event, headers, body)


main(Planted)
