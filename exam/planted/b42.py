"""Stores a customer's message half a second after it has accepted it."""

import queue
import threading
import time

from base import Bridge, main


class Planted(Bridge):
    def __init__(self):
        self.messages = queue.Queue()
        super().__init__()
        threading.Thread(target=self.store_later, daemon=True).start()

    def say(self, name, text):
        self.messages.put((time.monotonic() + 0.5, name, text))

    def store_later(self):
        while True:
            moment, *message = self.messages.get()
            time.sleep(max(0, moment - time.monotonic()))
            super().say(*message)


main(Planted)
