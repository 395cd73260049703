"""Believes an uninstall hook with any signature."""

from bot_base import Bot, main


class Planted(Bot):
    def is_uninstall_signed(self, account, signature):
        return True


main(Planted)
