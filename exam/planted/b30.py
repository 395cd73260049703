"""Gives a message up after two attempts."""

from base import Bridge, main


class Planted(Bridge):
    def gives_up(self, job):
        return job.tries >= 1


main(Planted)
