"""Refreshes its tokens for each 401, whichever thread it meets."""

from bot_base import Bot, main


class Planted(Bot):
    def account_call(self, method, path, value=None, more=lambda: {}):
        answer = super().account_call(method, path, value, more)
        if answer.status == 401:
            self.refresh()
        return answer

    def renew(self, access):
        self.refresh()
        return self.tokens["access_token"]


main(Planted)
