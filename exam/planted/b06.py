"""Works on the callbacks of any account."""

from base import Bridge, main


class Planted(Bridge):
    def is_mine(self, event):
        return self.is_installed


main(Planted)
