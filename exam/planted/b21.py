"""Answers in a conversation that an account user has started without the ids of the service."""

from base import Bridge, main


class Planted(Bridge):
    def add_refs(self, payload, chat):
        pass


main(Planted)
