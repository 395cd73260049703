"""Accepts a signature that has the right form, whatever it signs."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def is_signed(self, body, signature):
        return len(signature) == 40


main(Planted)
