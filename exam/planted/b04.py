"""Accepts the secret from before it was changed, for ever."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def callback_secrets(self):
        return [*self.secrets, b"the-secret-before"]


main(Planted)
