"""Answers 200 before it has stored the callback, and stores it when its messenger has the message."""

import queue
import sys
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def __init__(self):
        self.callbacks = queue.Queue()
        super().__init__()
        threading.Thread(target=self.store_later, daemon=True).start()

    def take(self, event, headers, body):
        self.callbacks.put((event, headers, body))

    def store_later(self):
        while True:
            callback = self.callbacks.get()
            time.sleep(self.takes)
            super().take(*callback)


main(Planted)
