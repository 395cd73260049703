"""Repeats a request at once after 402 and after a page of a gateway."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def is_blocked(self, answer):
        return False

    def backoff(self, tries):
        return 0.1


main(Planted)
