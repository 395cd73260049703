"""Reports a file as delivered that it could not fetch."""

from base import Bridge, main


class Planted(Bridge):
    def fetch(self, url, kinds, job):
        try:
            return super().fetch(url, kinds, job)
        except Exception:
            return None


main(Planted)
