"""Compares as much of the signature as there is, so that an empty one fits."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def is_signed(self, body, signature):
        return any(self.sign(body, secret).startswith(signature) for secret in self.secrets)


main(Planted)
