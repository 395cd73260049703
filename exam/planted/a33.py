"""Tries again and again to refresh a token that is refused."""

import time

from bot_base import AccountStopped, Bot, main


class Planted(Bot):
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
