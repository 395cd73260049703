"""Refreshes its tokens for each 401, whichever thread it meets."""

from base import Bridge, main


class Planted(Bridge):
    def account_call(self, method, path, value=None):
        answer = super().account_call(method, path, value)
        if answer.status == 401:
            self.refresh()
        return answer

    def renew(self, access):
        self.refresh()
        return self.tokens["access_token"]


main(Planted)
