"""Believes an uninstall hook with any signature."""

from base import Bridge, main


class Planted(Bridge):
    def is_uninstall_signed(self, account, signature):
        return True


main(Planted)
