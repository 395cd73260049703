"""Accepts a signature that has the right form, whatever it signs."""

from base import Bridge, main


class Planted(Bridge):
    def is_signed(self, body, signature):
        return len(signature) == 40


main(Planted)
