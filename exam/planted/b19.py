"""Answers 503 to a message of a type that it does not know, so the conversation waits for it."""

from base import TYPES, Bridge, content_of, is_edit, main


class Planted(Bridge):
    def take(self, event, headers, body):
        if not is_edit(event) and content_of(event).get("type") not in TYPES:
            raise NotImplementedError
        super().take(event, headers, body)


main(Planted)
