"""Refreshes its tokens after 401, and forgets the call."""

import json

from base import Bridge, main


class Planted(Bridge):
    def account_call(self, method, path, value=None):
        access = self.tokens["access_token"]
        body = None if value is None else json.dumps(value).encode()
        answer = self.send(method, path, body, lambda: {"Authorization": f"Bearer {access}", "Content-Type": "application/json"})
        if answer.status == 401:
            self.renew(access)
            answer.status = 204
        return answer


main(Planted)
