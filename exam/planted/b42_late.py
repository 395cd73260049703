"""Records two seconds after a message has arrived that it has."""

import threading

from base import Bridge, main


class Planted(Bridge):
    def store_delivery(self, db, job, event, obstacle):
        super().store_delivery(db, job, event, obstacle)
        db.execute("INSERT INTO jobs VALUES (?, ?, ?, ?, ?, ?)", job[:6])
        threading.Timer(2, self.end, (job,)).start()

    def end(self, job):
        self.store.run(lambda db: db.execute("DELETE FROM jobs WHERE id = ?", (job.id,)))


main(Planted)
