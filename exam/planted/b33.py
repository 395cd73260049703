"""Tries a refused refresh again at once, and again."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def refusal_wait(self):
        return 0.1


main(Planted)
