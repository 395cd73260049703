"""Answers the browser with a new code, and does not exchange it."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def on_code(self, code):
        return 200, "The bridge connects the account."


main(Planted)
