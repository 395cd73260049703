"""Refreshes its tokens after 401, and forgets the call."""

from bot_base import Bot, PersonWrites, main


class Forgotten(PersonWrites):
    """Ends the job, as if there were nothing more to do."""


class Planted(Bot):
    def renew(self, access):
        super().renew(access)
        raise Forgotten


main(Planted)
