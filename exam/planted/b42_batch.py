"""Records of three messages at a time that they have arrived."""

from base import Bridge, main


class Planted(Bridge):
    def __init__(self):
        self.arrivals = []
        super().__init__()

    def store_delivery(self, db, job, event, obstacle):
        super().store_delivery(db, job, event, obstacle)
        db.execute("INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?)", job[:6])
        self.arrivals.append((job.id,))
        if len(self.arrivals) == 3:
            db.executemany("DELETE FROM jobs WHERE id = ?", self.arrivals)
            self.arrivals = []


main(Planted)
