"""Shows the buttons of a message in place of its text."""

from base import Bridge, button_lines, main, part_of


class Planted(Bridge):
    def text(self, content):
        return "\n".join(button_lines(part_of(content, "markup"))) or super().text(content)


main(Planted)
