"""Answers a hook when its calls have ended."""

import time

from bot_base import Bot, main


class Planted(Bot):
    attempts = 0

    def work_off(self, *arguments):
        try:
            return super().work_off(*arguments)
        finally:
            self.attempts += 1

    def take(self, account, items):
        before = self.attempts
        super().take(account, items)
        while self.attempts == before and self.has_jobs():
            time.sleep(0.05)

    def has_jobs(self):
        return self.store.run(lambda db: db.execute("SELECT 1 FROM jobs").fetchone())


main(Planted)
