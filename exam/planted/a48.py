"""Makes a list as long as the largest index in a key, and ends when the memory is used up."""

import os
import re
import resource
from urllib.parse import unquote_to_bytes

from bot_base import Bot, main

resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))  # Less than the list would need.


class Planted(Bot):
    def parse(self, body):
        indexes = re.findall(rb"\[(\d+)\]", unquote_to_bytes(body))
        try:
            [None] * (1 + max(map(int, indexes), default=0))
        except MemoryError:
            os._exit(137)  # As a system ends a program that is out of memory.
        return super().parse(body)


main(Planted)
