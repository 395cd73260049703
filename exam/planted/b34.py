"""Takes 402 and a page of a gateway for the refusal of one message, and leaves that message."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def is_refused(self, answer):
        return super().is_refused(answer) or self.is_blocked(answer)


main(Planted)
