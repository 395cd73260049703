"""Parses the body first, and ends when it is no JSON."""

import os

from base import Bridge, main


class Planted(Bridge):
    def on_callback(self, headers, body):
        if self.parse(body) is None:
            os._exit(1)
        return super().on_callback(headers, body)


main(Planted)
