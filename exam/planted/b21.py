"""Answers in a conversation that an account user has started without the ids of the service."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def add_refs(self, payload, chat):
        pass


main(Planted)
