"""Accepts the newest secret alone while two are valid."""

import os
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def callback_secrets(self):
        newest = os.environ.get("SWITCHBOARD_CHANNEL_SECRET_NEXT") or os.environ["SWITCHBOARD_CHANNEL_SECRET"]
        return [newest.encode()]


main(Planted)
