"""Waits a second after 429, whatever Retry-After says."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def retry_after(self, answer):
        return min(1, super().retry_after(answer))


main(Planted)
