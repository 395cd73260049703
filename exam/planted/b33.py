"""Tries a refused refresh again at once, and again."""

import time

from base import AccountStopped, Bridge, main


class Planted(Bridge):
    def refusal_wait(self):
        return 0

    def refresh(self):
        for _ in range(20):
            try:
                return super().refresh()
            except AccountStopped:
                time.sleep(0.1)
        raise AccountStopped


main(Planted)
