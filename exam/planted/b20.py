"""Drops a message with a field that is null."""

from base import Bridge, main, message_of


class Planted(Bridge):
    def take(self, event, headers, body):
        message = message_of(event)
        parts = [message, *(part for part in message.values() if isinstance(part, dict))]
        values = [value for part in parts for name, value in part.items() if name != "markup"]
        if None not in values:
            super().take(event, headers, body)


main(Planted)
