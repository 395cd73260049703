"""Repeats a refused message for ever, and the next ones of the conversation wait."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import AGAIN, DONE, Bridge, main


class Planted(Bridge):
    def verdict(self, answer):
        return DONE if super().verdict(answer) == DONE else AGAIN


main(Planted)
