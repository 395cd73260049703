"""Accepts the newest secret alone while two are valid."""

import os

from base import Bridge, main


class Planted(Bridge):
    def callback_secrets(self):
        newest = os.environ.get("SWITCHBOARD_CHANNEL_SECRET_NEXT") or os.environ["SWITCHBOARD_CHANNEL_SECRET"]
        return [newest.encode()]


main(Planted)
