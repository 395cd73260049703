"""Answers each message of a talk, its own ones too."""

from bot_base import Bot, main


class Planted(Bot):
    def on_outgoing(self, db, account, item):
        self.on_message(db, account, item)


main(Planted)
