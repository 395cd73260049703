"""Takes a callback for a repeat only if its number of the attempt says so."""

from base import Bridge, main


class Planted(Bridge):
    def take(self, event, headers, body):
        if headers.get("X-Delivery-Attempt", "1") == "1":
            identity = self.identity(event, headers, body)
            self.store.run(lambda db: db.execute("DELETE FROM callbacks WHERE identity = ?", (identity,)))
        super().take(event, headers, body)


main(Planted)
