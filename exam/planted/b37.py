"""Reports a message as read, and then as delivered."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bridge import Bridge, main


class Planted(Bridge):
    def reports(self, msgid, obstacle):
        reports = super().reports(msgid, obstacle)
        return [{"msgid": msgid, "delivery_status": 2}, *reports] if obstacle is None else reports


main(Planted)
