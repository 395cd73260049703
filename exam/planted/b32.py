"""Refreshes its tokens in each thread that gets 401."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def renew(self, access):
        self.refresh()
        return self.tokens["access_token"]


main(Planted)
