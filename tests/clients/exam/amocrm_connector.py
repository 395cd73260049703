"""Launches the example of amocrm-connector, an echo in Node: EXAM_PROGRAM names the folder where the library is built.

`examples/chat.ts` expects the tokens of an installation in `testing/token.json`, as its first lines say. It reports each
message as read, and posts it in return.
"""

import json
import os
import shutil
from datetime import datetime, timedelta, timezone
from pathlib import Path

import stage


def token():
    tokens = stage.tokens()
    end = datetime.now(timezone.utc) + timedelta(seconds=tokens["expires_in"])
    return {"access": tokens["access_token"], "refresh": tokens["refresh_token"], "accessUntil": end.isoformat()}


folder = Path(os.environ["EXAM_PROGRAM"])
home = stage.DIRECTORY / "program"
if not home.exists():
    shutil.copytree(folder / "examples", home / "examples")
    shutil.copy(folder / "package.json", home)
    for name in ("dist", "node_modules"):
        (home / name).symlink_to(folder / name)
    (home / "testing").mkdir()
    (home / "testing" / "token.json").write_text(json.dumps(token()))
port = stage.free_port()
environment = {
    "SERVER_PORT": str(port),
    "SUBDOMAIN": "shop",
    "INTEGRATION_ID": stage.variable("CLIENT_ID"),
    "SECRET_KEY": stage.variable("CLIENT_SECRET"),
    "REDIRECT_URI": stage.variable("REDIRECT_URI"),
    "CHAT_ID": stage.variable("CHANNEL_ID"),
    "CHAT_SECRET": stage.variable("CHANNEL_SECRET"),
    "CHAT_PATH": "/amo/:scopeId",
}
preload = str(Path(__file__).with_name("vendor_hosts.cjs"))
command = ["node", "--require", preload, "--import", "tsx", "examples/chat.ts"]
stage.start(command, port, environment, home)
stage.Front(port).serve()
