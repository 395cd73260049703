"""Repeats whatever is not 2xx."""

from bot_base import AGAIN, DONE, Bot, main


class Planted(Bot):
    def is_over_quota(self, answer):
        return False

    def verdict(self, answer):
        return DONE if answer.status < 300 else AGAIN


main(Planted)
