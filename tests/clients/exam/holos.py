"""Launches middleware-sendmessage-holos, a bot in Python whose packages are on PYTHONPATH.

It writes what a customer says into a field of the lead, and a salesbot of the account answers from there. The salesbot is
one of the service, which sends the value of that field. A change of the field starts no salesbot here: the launcher plays
the trigger, which hears of the field by a hook of its own and runs the salesbot once for each new value.
"""

import json
import sys
import urllib.error
from pathlib import Path
from urllib.parse import parse_qsl

import stage

# The program has no bound, and an index of a form may take all memory of the machine.
LIMITED = ["sh", "-c", 'ulimit -v 3000000; exec "$@"', "sh"]
API = f"{stage.URL}/api/v4"
BEARER = {"Authorization": f"Bearer {stage.tokens()['access_token']}"}


def installed(port):
    """Makes the field, the salesbot and the subscription of its trigger at the first start. Returns the facts of the installation."""
    file = stage.DIRECTORY / "installed.json"
    if file.exists():
        return json.loads(file.read_text())
    field = [{"name": "Message", "type": "textarea"}]
    created = stage.call("POST", f"{API}/leads/custom_fields", field, BEARER)
    field = created["_embedded"]["custom_fields"][0]["id"]
    bot = {"name": "Answer", "kind": "send_field", "field_id": field}
    pipelines = stage.call("GET", f"{API}/leads/pipelines", headers=BEARER)["_embedded"]["pipelines"]
    hooks = {"destination": f"http://{stage.HOST}:{port}/trigger", "settings": ["update_lead"]}
    stage.call("POST", f"{API}/webhooks", hooks, BEARER)
    facts = {
        "port": port,
        "field": field,
        "bot": stage.call("POST", f"{API}/bots", bot, BEARER)["id"],
        "pipelines": [pipeline["id"] for pipeline in pipelines],
        "stages": [it["id"] for pipeline in pipelines for it in pipeline["_embedded"]["statuses"]],
    }
    file.write_text(json.dumps(facts))
    return facts


class Trigger:
    def __init__(self, field, bot):
        self.field = str(field)
        self.bot = bot
        self.values = stage.Lines("values")

    def hear(self, form):
        fields = dict(parse_qsl(form.decode()))
        lead = fields.get("leads[update][0][id]")
        prefix = "leads[update][0][custom_fields]"
        numbers = [key[len(prefix) :].split("]")[0] for key, value in fields.items() if key.startswith(prefix) and value == self.field]
        for number in numbers:
            value = fields.get(f"{prefix}{number}][values][0][value]", "")
            if value and [lead, value] not in self.values.all():
                self.values.add([lead, value])
                run = {"entity_id": int(lead), "entity_type": "leads"}
                try:
                    stage.call("POST", f"{API}/bots/{self.bot}/run", run, BEARER)
                except urllib.error.HTTPError as refusal:
                    print(f"launcher: the salesbot does not run: {refusal}", flush=True)


facts = installed(stage.free_port())
trigger = Trigger(facts["field"], facts["bot"])
stage.double(lambda method, path, body: (200, trigger.hear(body)), facts["port"], raw=True)
port = stage.free_port()
environment = {
    "TOKEN_KOMMO": stage.tokens()["access_token"],
    "SUBDOMAIN_KOMMO": "shop",
    "OPENAI_API_KEY": "key",
    "KOMMO_MESSAGE_FIELD_ID": str(facts["field"]),
    "KOMMO_ALLOWED_PIPELINE_IDS": ",".join(map(str, facts["pipelines"])),
    "KOMMO_ALLOWED_STATUS_IDS": ",".join(map(str, facts["stages"])),
}
runner = str(Path(__file__).with_name("vendor_hosts.py"))
server = ["uvicorn", "middleware_sendmessage_holos.asgi:app", "--host", stage.HOST, "--port", str(port)]
stage.start([*LIMITED, sys.executable, runner, *server], port, environment)
stage.Front(port).serve()
