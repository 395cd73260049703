import hashlib, hmac, json, os, time, urllib.request
from email.utils import formatdate
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAMES = ("SWITCHBOARD_URL", "SWITCHBOARD_CHANNEL_ID", "SWITCHBOARD_ACCOUNT_ID", "SWITCHBOARD_CHANNEL_SECRET")
BASE, CHANNEL, ACCOUNT, SECRET = (os.environ[name] for name in NAMES)
SCOPE = f"{CHANNEL}_{ACCOUNT}"

def sign(data):
    return hmac.new(SECRET.encode(), data, hashlib.sha1).hexdigest()

def post(address, value):
    body, path = json.dumps(value).encode(), f"/v2/origin/custom/{address}"
    headers = {"Content-MD5": hashlib.md5(body).hexdigest(), "Content-Type": "application/json",
               "Date": formatdate(usegmt=True)}
    headers["X-Signature"] = sign("\n".join(["POST", *headers.values(), path]).encode())
    urllib.request.urlopen(urllib.request.Request(BASE + path, body, headers), timeout=5).close()

def answer(event):
    chat, customer, message = event["conversation"], event["receiver"], event["message"]
    post(SCOPE, {"event_type": "new_message", "payload": {
        "timestamp": int(time.time()), "msgid": f"echo-{message['id']}",
        "conversation_id": chat["client_id"] or chat["id"], "conversation_ref_id": chat["id"],
        "sender": {"id": customer["client_id"] or customer["id"], "name": customer.get("name", "Customer")},
        "message": {"type": "text", "text": message["text"]}}})
    post(f"{SCOPE}/{message['id']}/delivery_status", {"delivery_status": 2})

class Callbacks(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        right = hmac.compare_digest(sign(body), self.headers.get("X-Signature", ""))
        if right and json.loads(body).get("message", {}).get("message", {}).get("type") == "text":
            answer(json.loads(body)["message"])  # an error ends the request, and the callback is retried
        self.send_response(200 if right else 403)
        self.end_headers()

server = ThreadingHTTPServer((os.environ.get("HOST", "127.0.0.1"), int(os.environ["PORT"])), Callbacks)
post(f"{CHANNEL}/connect", {"account_id": ACCOUNT, "title": "Echo bot", "hook_api_version": "v2"})
server.serve_forever()
