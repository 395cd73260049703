"""Writes texts as HTML."""

import html

from base import Bridge, main


class Planted(Bridge):
    def text(self, content):
        return html.escape(super().text(content))


main(Planted)
