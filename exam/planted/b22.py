"""Reports a file as delivered that it could not fetch."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def fetch(self, url, kinds, job):
        try:
            return super().fetch(url, kinds, job)
        except Exception:
            return None


main(Planted)
