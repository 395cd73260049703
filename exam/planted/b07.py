"""Ends when a body has more than half a mebibyte."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def read_body(self, stream, length):
        if length > 1 << 19:
            os._exit(1)
        return super().read_body(stream, length)


main(Planted)
