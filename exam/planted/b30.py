"""Gives a message up after two attempts."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def gives_up(self, job):
        return job.tries >= 1


main(Planted)
