"""Writes texts as HTML."""

import html
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def text(self, content):
        return html.escape(super().text(content))


main(Planted)
