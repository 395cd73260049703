"""Gives a message another id when the answer to its post was lost."""

import json
import uuid

from base import AGAIN, Bridge, main


class Planted(Bridge):
    def after_loss(self, job):
        if job.kind == "post":
            event = json.loads(job.body)
            event["payload"]["msgid"] = str(uuid.uuid4())
            row = (json.dumps(event).encode(), job.id)
            self.store.run(lambda db: db.execute("UPDATE jobs SET body = ? WHERE id = ?", row))
        return AGAIN


main(Planted)
