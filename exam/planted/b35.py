"""Goes by its own clock, and leaves a message whose date is refused."""

from base import Bridge, main


class Planted(Bridge):
    def watch_clock(self, answer):
        pass

    def is_refused(self, answer):
        return super().is_refused(answer) or self.is_date_refused(answer)


main(Planted)
