"""Shows an edit as another message."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def edit(self, db, msgid, text):
        self.show(db, msgid, "edits", {"text": text})


main(Planted)
