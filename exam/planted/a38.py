"""Sends as many requests as it can."""

from bot_base import Bot, main


class Planted(Bot):
    RATE = 100


main(Planted)
