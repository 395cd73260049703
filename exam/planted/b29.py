"""Waits a second after 429, whatever Retry-After says."""

from base import Bridge, main


class Planted(Bridge):
    def retry_after(self, answer):
        return min(1, super().retry_after(answer))


main(Planted)
