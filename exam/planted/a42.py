"""Answers a hook half a second before it has stored it."""

import threading

from bot_base import Bot, main


class Planted(Bot):
    def take(self, account, items):
        threading.Timer(0.5, super().take, (account, items)).start()


main(Planted)
