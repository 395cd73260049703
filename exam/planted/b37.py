"""Reports a message as read, and then as delivered."""

from base import Bridge, main


class Planted(Bridge):
    def reports(self, msgid, obstacle):
        reports = super().reports(msgid, obstacle)
        return [{"msgid": msgid, "delivery_status": 2}, *reports] if obstacle is None else reports


main(Planted)
