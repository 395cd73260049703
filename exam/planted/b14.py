"""Works on the messages of a conversation at once, and on every second one more slowly."""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, content_of, main


class Planted(Bridge):
    def lane(self, event):
        return content_of(event).get("id")

    def deliver(self, job):
        time.sleep(0.5 * (job.id % 2))
        return super().deliver(job)


main(Planted)
