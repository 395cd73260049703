"""A bot of the usual shape on aioamocrm: the webhook of a message, the messages of its talk, an answer.

It answers every message of a customer, skips what bots wrote, and ends once the webhook has told it of an answer of its own.
"""

import asyncio
import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from aioamocrm import AmoCRMClient, LongLivedToken, parse_webhook

KEY = "7d1f"


def listen(loop, events):
    """Listens for webhooks, answers at once, and leaves the work to the queue."""

    class Webhooks(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            trusted = self.path == f"/in?k={KEY}" and self.headers["User-Agent"].startswith("amoCRM-Webhooks/")
            self.send_response(200 if trusted else 403)
            self.end_headers()
            if trusted:
                loop.call_soon_threadsafe(events.put_nowait, parse_webhook(body))

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Webhooks)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}/in?k={KEY}"


async def answer(amo, payload):
    """Answers the newest message of the customer; gives the ids that it has read, and its own."""
    talk = f"talks/{payload['talk_id']}"
    page = await amo.request("GET", f"{talk}/messages", params={"limit": 50})
    messages = sorted(page["_embedded"]["messages"], key=lambda it: it["msec_created_at"])
    newest = [it for it in messages if it["type"] == "incoming"][-1]
    sent = await amo.request("POST", f"{talk}/send_message", json={"text": f"You wrote: {newest['text']}"})
    return [it["id"] for it in messages], sent["id"]


async def work(given):
    events = asyncio.Queue()
    destination = listen(asyncio.get_running_loop(), events)
    auth = LongLivedToken(given["token"])
    report = {"accounts": [], "answered": [], "read": [], "sent": [], "skipped": []}
    async with AmoCRMClient(subdomain=given["subdomain"], auth=auth, rate_limit=None) as amo:
        settings = ["add_message", "add_outgoing_message"]
        await amo.request("POST", "webhooks", json={"destination": destination, "settings": settings})
        while not report["skipped"]:
            webhook = await events.get()
            report["accounts"].append(webhook.subdomain)
            for event in webhook.events:
                payload = event.payload
                if payload["author"]["type"] == "bot":
                    report["skipped"].append(payload)
                elif (event.entity, event.action) == ("message", "add"):
                    read, sent = await answer(amo, payload)
                    report["answered"].append(payload["id"])
                    report["read"].append(read)
                    report["sent"].append(sent)
    return report


json.dump(asyncio.run(work(json.load(sys.stdin))), sys.stdout)
