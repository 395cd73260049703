"""Answers the browser with a new code, and does not exchange it."""

from base import Bridge, main


class Planted(Bridge):
    def on_code(self, code):
        return 200, "The bridge connects the account."


main(Planted)
