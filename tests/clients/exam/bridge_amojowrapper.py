"""A bridge that is nothing but the calls of the README of amojowrapper, one after the other in the request of the callback.

It verifies the signature, posts the text in return, and reports the message as delivered. `vendor_hosts.py` runs it.
"""

import json
import os
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from amojowrapper.actions import ChannelAction, DeliveryStatusAction, MessageAction
from amojowrapper.client import AmojoClient
from amojowrapper.validators.webhook import WebhookValidator

client = AmojoClient(
    referer="shop.amocrm.ru",
    amojo_account_token=os.environ["SWITCHBOARD_ACCOUNT_ID"],
    channel_secret=os.environ["SWITCHBOARD_CHANNEL_SECRET"],
    channel_id=os.environ["SWITCHBOARD_CHANNEL_ID"],
)


def send(text, conversation, sender):
    MessageAction(client).send(
        message_type="text", message_text=text, conversation_id=conversation, sender_id=sender, sender_name=sender
    )


class Bridge(BaseHTTPRequestHandler):
    def do_POST(self):
        payload = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if self.path == "/exam/say":
            order = json.loads(payload)
            send(order["text"], order["from"], order["from"])
        elif WebhookValidator(client).validate(payload, self.headers["X-Signature"]):
            message = json.loads(payload)["message"]
            send(message["message"]["text"], message["conversation"]["client_id"], message["receiver"]["client_id"])
            DeliveryStatusAction(client).set(msgid=message["message"]["id"], delivery_status=1)
        else:
            self.send_error(403)
            return
        self.send_response(200)
        self.end_headers()


ChannelAction(client).connect()
ThreadingHTTPServer(("127.0.0.1", int(os.environ["PORT"])), Bridge).serve_forever()
