"""Works on the callbacks of any account."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def is_mine(self, event):
        return self.is_installed


main(Planted)
