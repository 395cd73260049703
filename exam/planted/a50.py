"""Takes each item of contacts for a person."""

from bot_base import Bot, main


class Planted(Bot):
    def is_person(self, item):
        return True


main(Planted)
