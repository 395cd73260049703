"""Answers a hook when the customer has the answer."""

import time

from bot_base import Bot, main


class Planted(Bot):
    def take(self, account, items):
        super().take(account, items)
        while self.store.run(lambda db: db.execute("SELECT 1 FROM jobs").fetchone()):
            time.sleep(0.05)


main(Planted)
