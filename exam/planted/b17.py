"""Keeps all callbacks in memory, with 300 KiB for each."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def __init__(self):
        self.callbacks = []
        super().__init__()

    def take(self, event, headers, body):
        self.callbacks.append(body.ljust(300 << 10))
        super().take(event, headers, body)


main(Planted)
