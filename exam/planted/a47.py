"""Decides when the hook comes, and does not look again before it sends."""

from bot_base import Bot, main


class Planted(Bot):
    def last_look(self, job, question):
        return {"Idempotency-Key": question["id"]}


main(Planted)
