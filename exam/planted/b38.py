"""Sends as many requests as it can."""

from base import Bridge, main


class Planted(Bridge):
    RATE = 100


main(Planted)
