"""Verifies its own encoding of the body in place of the bytes that came."""

import json

from base import Bridge, main


class Planted(Bridge):
    def signed_bytes(self, body):
        event = self.parse(body)
        return body if event is None else json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


main(Planted)
