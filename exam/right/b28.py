"""Has no messenger for the exam: it reports a message as delivered, and posts it in return. The report is no post."""

import base  # noqa: F401
from bridge import Bridge, main


class Right(Bridge):
    def on_exam(self, method, path, body):
        return 404, "{}"

    def show(self, db, msgid, conversation, content):
        super().show(db, msgid, conversation, content)
        self.store_message(db, conversation, self.text(content))


main(Right)
