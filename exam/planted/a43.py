"""Reads a form only if the account comes first."""

from bot_base import Bot, main


class Planted(Bot):
    def parse(self, body):
        return super().parse(body) if body.startswith(b"account") else ("", [])


main(Planted)
