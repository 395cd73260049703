"""Takes each attempt for another callback."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def identity(self, event, headers, body):
        return f'{super().identity(event, headers, body)} {headers.get("X-Delivery-Attempt")}'


main(Planted)
