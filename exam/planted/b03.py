"""Compares as much of the signature as there is, so that an empty one fits."""

from base import Bridge, main


class Planted(Bridge):
    def is_signed(self, body, signature):
        return any(self.sign(body, secret).startswith(signature) for secret in self.secrets)


main(Planted)
