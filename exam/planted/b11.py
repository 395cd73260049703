"""Takes each attempt for another callback."""

from base import Bridge, main


class Planted(Bridge):
    def identity(self, event, headers, body):
        return f'{super().identity(event, headers, body)} {headers.get("X-Delivery-Attempt")}'


main(Planted)
