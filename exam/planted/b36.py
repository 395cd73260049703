"""Repeats a refused message at once, and again, while the next ones of the conversation wait."""

from base import AGAIN, DONE, Bridge, main


class Planted(Bridge):
    def verdict(self, answer):
        return DONE if super().verdict(answer) == DONE else AGAIN

    def backoff(self, tries):
        return 0.1


main(Planted)
