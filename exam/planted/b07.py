"""Ends when a body has more than half a mebibyte."""

import os

from base import Bridge, main


class Planted(Bridge):
    def read_body(self, stream, length):
        if length > 1 << 19:
            os._exit(1)
        return super().read_body(stream, length)


main(Planted)
