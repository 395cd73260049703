"""Launches middleware-sendmessage-holos, a bot in Python whose packages are on PYTHONPATH.

It writes what a customer says into a field of the lead; a salesbot of the account, which its operator draws, answers from
there. The double of the salesbot hears of the field by a hook of its own, and answers once for each new value.
"""

import json
import sys
from pathlib import Path
from urllib.parse import parse_qsl

import stage

# The program has no bound, and an index of a form may take all memory of the machine.
LIMITED = ["sh", "-c", 'ulimit -v 3000000; exec "$@"', "sh"]
API = f"{stage.URL}/api/v4"
BEARER = {"Authorization": f"Bearer {stage.tokens()['access_token']}"}


def installed(port):
    """Makes the field and the subscription of the double at the first start. Returns the facts of the installation."""
    file = stage.DIRECTORY / "installed.json"
    if file.exists():
        return json.loads(file.read_text())
    field = [{"name": "Message", "type": "textarea"}]
    created = stage.call("POST", f"{API}/leads/custom_fields", field, BEARER)
    pipelines = stage.call("GET", f"{API}/leads/pipelines", headers=BEARER)["_embedded"]["pipelines"]
    hooks = {"destination": f"http://{stage.HOST}:{port}/salesbot", "settings": ["update_lead"]}
    stage.call("POST", f"{API}/webhooks", hooks, BEARER)
    facts = {
        "port": port,
        "field": created["_embedded"]["custom_fields"][0]["id"],
        "pipelines": [pipeline["id"] for pipeline in pipelines],
        "stages": [it["id"] for pipeline in pipelines for it in pipeline["_embedded"]["statuses"]],
    }
    file.write_text(json.dumps(facts))
    return facts


class Salesbot:
    def __init__(self, field):
        self.field = str(field)
        self.answered = stage.Lines("answered")

    def hear(self, form):
        fields = dict(parse_qsl(form.decode()))
        lead = fields.get("leads[update][0][id]")
        prefix = "leads[update][0][custom_fields]"
        numbers = [key[len(prefix) :].split("]")[0] for key, value in fields.items() if key.startswith(prefix) and value == self.field]
        for number in numbers:
            value = fields.get(f"{prefix}{number}][values][0][value]", "")
            if value and [lead, value] not in self.answered.all():
                self.answered.add([lead, value])
                self.answer(lead)

    def answer(self, lead):
        query = f"filter[entity_type]=lead&filter[entity_id]={lead}"
        talks = stage.call("GET", f"{API}/talks?{query}", headers=BEARER)["_embedded"]["talks"]
        for talk in talks[-1:]:
            body = {"text": "We have it, and answer at once."}
            stage.call("POST", f"{API}/talks/{talk['talk_id']}/send_message", body, BEARER)


facts = installed(stage.free_port())
salesbot = Salesbot(facts["field"])
stage.double(lambda method, path, body: (200, salesbot.hear(body)), facts["port"], raw=True)
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
