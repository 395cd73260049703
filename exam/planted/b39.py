"""Believes an uninstall hook with any signature."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def is_uninstall_signed(self, account, signature):
        return True


main(Planted)
