"""Records that a message has arrived with the next one alone, so that each start sends the last one again."""

from base import Bridge, main


class Planted(Bridge):
    def __init__(self):
        self.last = 0
        super().__init__()

    def store_delivery(self, db, job, event, obstacle):
        super().store_delivery(db, job, event, obstacle)
        db.execute("DELETE FROM jobs WHERE id = ?", (self.last,))
        db.execute("INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?)", job[:6])
        self.last = job.id


main(Planted)
