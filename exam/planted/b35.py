"""Goes by its own clock, and does not look at that of the service."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def watch_clock(self, answer):
        pass


main(Planted)
