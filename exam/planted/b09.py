"""Takes a callback for a repeat only if its number of the attempt says so."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def take(self, event, headers, body):
        if headers.get("X-Delivery-Attempt", "1") == "1":
            identity = self.identity(event, headers, body)
            self.store.run(lambda db: db.execute("DELETE FROM callbacks WHERE identity = ?", (identity,)))
        super().take(event, headers, body)


main(Planted)
