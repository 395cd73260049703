"""A bridge with three mistakes, for an agent that mends it by the advice of the exam."""

import json
import uuid

from base import AGAIN, Bridge, main


class Mistaken(Bridge):
    def take(self, event, headers, body):
        identity = self.identity(event, headers, body)
        self.store.run(lambda db: db.execute("DELETE FROM callbacks WHERE identity = ?", (identity,)))
        self.store.run(lambda db: self.store_callback(db, event, identity, body))

    def after_loss(self, job):
        if job.kind == "post":
            event = json.loads(job.body)
            event["payload"]["msgid"] = str(uuid.uuid4())
            row = (json.dumps(event).encode(), job.id)
            self.store.run(lambda db: db.execute("UPDATE jobs SET body = ? WHERE id = ?", row))
        return AGAIN

    def account_call(self, method, path, value=None):
        answer = super().account_call(method, path, value)
        if answer.status == 401:
            self.refresh()
        return answer

    def renew(self, access):
        self.refresh()
        return self.tokens["access_token"]


main(Mistaken)
