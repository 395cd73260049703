"""Shows the buttons of a message in place of its text."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, button_lines, main, part_of


class Planted(Bridge):
    def text(self, content):
        return "\n".join(button_lines(part_of(content, "markup"))) or super().text(content)


main(Planted)
