"""Shows the first file of a media group alone."""

from base import Bridge, content_of, main


class Planted(Bridge):
    def __init__(self):
        self.groups = set()
        super().__init__()

    def take(self, event, headers, body):
        group = content_of(event).get("media_group_id")
        if group not in self.groups:
            super().take(event, headers, body)
        if group:
            self.groups.add(group)


main(Planted)
