"""Repeats a request at once after 402 and after a page of a gateway."""

from bot_base import Bot, main


class Planted(Bot):
    def is_blocked(self, answer):
        return False

    def backoff(self, tries):
        return 0.1


main(Planted)
