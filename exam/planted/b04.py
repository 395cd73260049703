"""Accepts the secret from before it was changed, for ever."""

from base import Bridge, main


class Planted(Bridge):
    def callback_secrets(self):
        return [*self.secrets, b"the-secret-before"]


main(Planted)
