"""Shows the first file of a media group alone."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, content_of, main


class Planted(Bridge):
    def __init__(self):
        self.groups = set()
        super().__init__()

    def take(self, event, headers, body):
        group = content_of(event).get("media_group_id")
        if group not in self.groups:
            super().take(event, headers, body)
        if group:
            self.groups.add(group)


main(Planted)
