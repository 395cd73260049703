"""Shows that an account user types as a message."""

from base import Bridge, main, part_of


class Planted(Bridge):
    def on_action(self, event):
        typing = part_of(part_of(event, "action"), "typing")
        if typing:
            content = {"text": "An account user is typing."}
            self.store.run(lambda db: self.show(db, "typing", self.find_chat(db, {"message": typing}), content))


main(Planted)
