"""Subscribes its address itself, to more events: the text of a message comes in other hooks, too."""

import os

import base  # noqa: F401
from bot import Bot, main

EVENTS = ["add_message", "add_talk", "update_talk", "add_unsorted", "add_lead", "add_contact", "update_contact"]


class Right(Bot):
    def after_install(self):
        address = f"http://127.0.0.1:{os.environ['PORT']}{self.hooks_path}"
        self.account_call("POST", "/api/v4/webhooks", {"destination": address, "settings": EVENTS})


main(Right)
