"""Shows a message of an unknown type as if it were a text."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import TYPES, Bridge, main


class Planted(Bridge):
    def check(self, content, job):
        if content.get("type") in TYPES:
            super().check(content, job)


main(Planted)
