"""Tries a refused refresh again at once, and again."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import AccountStopped, Bridge, main


class Planted(Bridge):
    def refusal_wait(self):
        return 0

    def refresh(self):
        for _ in range(20):
            try:
                return super().refresh()
            except AccountStopped:
                time.sleep(0.1)
        raise AccountStopped


main(Planted)
