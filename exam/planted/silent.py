"""Verifies its own encoding of the body, and answers 200 to what it refuses: the answer alone shows nothing."""

import json

from base import Bridge, main


class Planted(Bridge):
    def on_callback(self, headers, body):
        status = super().on_callback(headers, body)
        return 200 if status == 403 else status

    def signed_bytes(self, body):
        event = self.parse(body)
        return body if event is None else json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


main(Planted)
