"""Launches kommo-openai-ig-autoreply, a bot in Node: EXAM_PROGRAM names the folder where it is installed.

It reads a talk, asks OpenAI for an answer, and sends it. The double of OpenAI answers at once. The program only takes
messages of Instagram, so the front gives the hooks that origin; nothing else of them is changed.
"""

import json
import os
import re
from pathlib import Path

import stage

KEY = "7d1f"
ORIGIN = re.compile(rb"(message(?:%5B|%5b|\[)add(?:%5D|%5d|\])[^=&]*origin(?:%5D|%5d|\])=)[^&]*")


def openai(method, path, body):
    reply = json.dumps({"reply": "We are open until six.", "needs_review": False})
    return 200, {"choices": [{"message": {"role": "assistant", "content": reply}}]}


def of_instagram(request):
    head, body = request.split(b"\r\n\r\n", 1)
    changed = ORIGIN.sub(rb"\1instagram", body)
    length = b"Content-Length: %d" % len(changed)
    head = re.sub(rb"(?i)content-length: *\d+", length, head)
    return head + b"\r\n\r\n" + changed


folder = Path(os.environ["EXAM_PROGRAM"])
port = stage.free_port()
# The program keeps its drafts beside its source: each rule has a folder of its own.
home = stage.DIRECTORY / "program"
home.mkdir(exist_ok=True)
for name in ("server.js", "package.json", "node_modules"):
    if not (home / name).exists():
        (home / name).symlink_to(folder / name)
environment = {
    "PORT": str(port),
    "KOMMO_SUBDOMAIN": "shop",
    "KOMMO_ACCESS_TOKEN": stage.tokens()["access_token"],
    "OPENAI_API_KEY": "key",
    "WEBHOOK_SECRET": KEY,
    "AUTO_SEND": "true",
    "OUTSIDE_HOST": "api.openai.com",
    "OUTSIDE_URL": stage.double(openai),
}
preload = str(Path(__file__).with_name("vendor_hosts.cjs"))
command = ["node", "--preserve-symlinks", "--preserve-symlinks-main", "--require", preload, str(home / "server.js")]
stage.start(command, port, environment, home)
stage.Front(port, change=of_instagram).serve()
