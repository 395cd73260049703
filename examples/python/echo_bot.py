"""An integration that posts the text of each account user's reply back as a customer's message.

Environment: SWITCHBOARD_URL, SWITCHBOARD_SCOPE_ID, SWITCHBOARD_CHANNEL_SECRET; PORT, by default a free one. It prints the port."""

import hashlib
import hmac
import http.client
import json
import os
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

URL = f"{os.environ['SWITCHBOARD_URL']}/v2/origin/custom/{os.environ['SWITCHBOARD_SCOPE_ID']}"
AVATAR = "https://example.com/customer.png"  # The 2019 generation of signatures requires one.
SECRET = os.environ["SWITCHBOARD_CHANNEL_SECRET"].encode()


def sign(body):
    return hmac.new(SECRET, body, hashlib.sha1).hexdigest()


def post(value):
    """Whether Switchboard stored the message. It stores one with the same msgid once, so a repeat is harmless."""
    body = json.dumps(value).encode()
    headers = {"Content-Type": "application/json", "X-Signature": sign(body)}
    for _ in range(2):
        try:
            with urllib.request.urlopen(urllib.request.Request(URL, body, headers), timeout=5):
                return True
        except urllib.error.HTTPError:
            return False
        except (OSError, http.client.HTTPException):
            continue  # The connection broke: the message may be stored or not.
    return False


def echo(event):
    chat, person, message = event["conversation"], event["receiver"], event["message"]
    return post({"event_type": "new_message", "payload": {
        "timestamp": event["timestamp"], "msgid": f"echo-{message['id']}",
        "conversation_id": chat["client_id"] or chat["id"], "conversation_ref_id": chat["id"],
        "sender": {"id": person["client_id"] or person["id"], "name": person.get("name", "Customer"), "avatar": AVATAR},
        "message": {"type": "text", "text": f"echo: {message['text']}"}}})


class Callbacks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if not hmac.compare_digest(sign(body).encode(), self.headers.get("X-Signature", "").encode()):
            return self.send_error(403)
        event = json.loads(body).get("message", {})
        is_text = event.get("message", {}).get("type") == "text"  # Typing and reactions have no message.
        self.send_response(200 if not is_text or echo(event) else 503)  # After 503 the callback comes again.
        self.end_headers()


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 0))), Callbacks)
print(server.server_port, flush=True)
server.serve_forever()
