"""Gives a body one second, and drops the request when it is not whole by then."""

import time

from base import Bridge, main


class Planted(Bridge):
    def read_body(self, stream, length):
        body, end = b"", time.monotonic() + 1
        while len(body) < length and time.monotonic() < end:
            body += stream.read1(length - len(body))
        return body


main(Planted)
