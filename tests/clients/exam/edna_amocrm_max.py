"""Launches edna-amocrm-max, a bridge in Node: EXAM_PROGRAM names the folder `services/api`, where it is built.

EXAM_DATABASE is the address of a PostgreSQL whose user may create databases; `psql` makes one for each rule. The double of
edna takes messages to customers, and passes theirs on. The program serves only customers that have written to it before, so
those of the exam are entered into its table of conversations.
"""

import os
import threading
import time
import uuid
from pathlib import Path
from urllib.parse import quote

import stage

KEY, SENDER = "key", "shop"
MAPPING = """INSERT INTO conversation_mappings (id, channel_connection_id, max_chat_id, max_user_id, amocrm_conversation_id, updated_at)
VALUES ('{id}', '{connection}', '{place}', '{place}', '{place}', now()) ON CONFLICT DO NOTHING"""

folder = Path(os.environ["EXAM_PROGRAM"])
server = os.environ["EXAM_DATABASE"].rstrip("/")


def sql(text, database, *options):
    return stage.output(["psql", "-qAtX", "-v", "ON_ERROR_STOP=1", *options, f"{server}/{database}"], text).strip()


def made():
    """Makes the database of the rule at the first start. Returns its name."""
    file = stage.DIRECTORY / "database"
    if not file.exists():
        name = f"exam_{uuid.uuid4().hex}"
        sql(f"CREATE DATABASE {name}", "postgres")
        for step in sorted((folder / "prisma" / "migrations").glob("*/migration.sql")):
            sql(step.read_text(), name)
        file.write_text(name)
    return file.read_text()


class Edna:
    def __init__(self, callbacks):
        self.callbacks = callbacks
        self.arrivals = stage.Lines("arrivals")
        self.takes = 0

    def answer(self, method, path, body):
        if path == "/api/channel-profile":
            return 200, [{"subject": SENDER, "type": "MAX_BOT", "active": True, "subjectId": 7}]
        if path != "/api/v1/out-messages/max-bot":
            return 200, {}
        time.sleep(self.takes)
        text = body["content"]["text"]
        self.arrivals.add({"msgid": self.callbacks.msgid(text), "text": text})
        return 200, {"outMessageId": str(uuid.uuid4()), "maxId": body["maxId"]}


class Bridge:
    def __init__(self, port, database):
        self.url = f"http://{stage.HOST}:{port}"
        self.database = database
        self.places = set()
        self.lock = threading.Lock()
        self.connection = None

    def install(self):
        file = stage.DIRECTORY / "connection"
        if not file.exists():
            target = f"/api/integrations/amocrm/oauth/callback?referer=shop.amocrm.ru&code={quote(stage.variable('CODE'))}"
            stage.call("GET", self.url + target, is_document=False)
            installation = sql("SELECT id FROM installations", self.database)
            body = {"installation_id": installation, "display_name": "Max", "api_key": KEY, "channel_id": SENDER}
            file.write_text(stage.call("POST", f"{self.url}/api/channel-connections", body)["id"])
        self.connection = file.read_text()

    def meet(self, place):
        with self.lock:
            if place not in self.places and "'" not in place:
                row = MAPPING.format(id=uuid.uuid4(), connection=self.connection, place=place)
                sql(row, self.database)
                self.places.add(place)

    def say(self, order):
        body = {
            "id": time.time_ns() // 1000,
            "subject": SENDER,
            "subjectId": 7,
            "subscriber": {"id": 1, "identifier": order["from"]},
            "userInfo": {"firstName": order["from"]},
            "messageContent": {"type": "TEXT", "text": order["text"]},
            "receivedAt": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()),
        }
        stage.call("POST", f"{self.url}/api/webhooks/max/{self.connection}", body)


port = stage.free_port()
database = made()
bridge = Bridge(port, database)
callbacks = stage.Callbacks(bridge.meet)
edna = Edna(callbacks)
environment = {
    "PORT": str(port),
    "DATABASE_URL": f"{server}/{database}",
    "AMOCRM_CLIENT_ID": stage.variable("CLIENT_ID"),
    "AMOCRM_CLIENT_SECRET": stage.variable("CLIENT_SECRET"),
    "AMOCRM_REDIRECT_URI": stage.variable("REDIRECT_URI"),
    "AMOCRM_CHANNEL_ID": stage.variable("CHANNEL_ID"),
    "AMOCRM_CHANNEL_SECRET": stage.variable("CHANNEL_SECRET"),
    "AMOCRM_CHAT_BASE_URL": stage.URL,
    "EDNA_API_BASE_URL": stage.double(edna.answer),
    "APP_BASE_URL": bridge.url,
}
preloads = ["vendor_hosts.cjs"]
if (folder / "node_modules/@prisma/adapter-pg").exists():
    preloads.append("prisma_adapter.cjs")
options = [word for name in preloads for word in ("--require", str(Path(__file__).with_name(name)))]
stage.start(["node", *options, str(folder / "dist" / "main.js")], port, environment)
bridge.install()
stage.Front(
    port,
    note=callbacks.note,
    seen=edna.arrivals.all,
    say=bridge.say,
    outside=lambda order: setattr(edna, "takes", order["takes"]),
).serve()
