"""Drives amochka, which takes its token from a file or a text."""

import functools
import json
import time

from amochka import AmoCRMClient, CacheConfig
from operations import expect, run


@functools.cache
def client(token, subdomain):
    text = json.dumps({"access_token": token, "expires_at": time.time() + 3600})
    base = f"https://{subdomain}.amocrm.ru"
    return AmoCRMClient(base, text, CacheConfig.disabled(), disable_logging=True, rate_limit=1000, max_retries=0)


def amo(given):
    return client(given["token"], given["subdomain"])


def install(given):
    """A token that is over, and a refresh token."""
    install = given["install"]
    text = json.dumps({"access_token": "old", "expires_at": 1, "refresh_token": install["refresh_tokens"].pop()})
    renewed = AmoCRMClient(
        f"https://{given['subdomain']}.amocrm.ru",
        text,
        CacheConfig.disabled(),
        disable_logging=True,
        max_retries=0,
        client_id=install["client_id"],
        client_secret=install["client_secret"],
        redirect_uri=install["redirect_uri"],
    )
    expect(renewed.get_account()["subdomain"], given["own_subdomain"])


def change_lead(given):
    amo(given).update_lead(given["lead"], {"name": "amochka"})
    expect(amo(given).get_deal_by_id(given["lead"], skip_fields_mapping=True)["name"], "amochka")


def tag_lead(given):
    amo(given).update_lead(given["lead"], {}, tags_to_add=["vip"])
    tags = amo(given).get_deal_by_id(given["lead"], skip_fields_mapping=True)["_embedded"]["tags"]
    expect([tag["name"] for tag in tags], ["vip"])


def phone(text):
    return [{"field_code": "PHONE", "values": [{"value": text}]}]


def create_contact(given):
    made = amo(given).create_contact({"name": "Grace", "custom_fields_values": phone("+44 20 7946 0001")})
    expect(amo(given).get_contact_by_id(made["id"])["name"], "Grace")


def note(given):
    made = amo(given).add_entity_note("lead", given["lead"], "common", {"text": "noted"})
    texts = [it["params"]["text"] for it in amo(given).get_deal_notes(given["lead"])]
    expect((made["id"] > 0, "noted" in texts), (True, True))


def note_of_lead(given):
    made = amo(given).add_entity_note("lead", given["lead"], "common", {"text": "noted again"})
    expect(amo(given).get_deal_note(given["lead"], made["id"])["params"]["text"], "noted again")
    of_contact = amo(given).add_entity_note("contact", given["contact"], "common", {"text": "noted"})
    expect(amo(given).get_contact_note(given["contact"], of_contact["id"])["id"], of_contact["id"])


def filter_notes(given):
    all_notes = functools.partial(amo(given).fetch_notes, entity="lead")
    expect(ids(all_notes(updated_from=time.time() + 86_400)), [])
    expect(ids(all_notes(entity_ids=[999])), [])
    notes = all_notes(note_type="common", entity_ids=[given["lead"]])
    expect(all(it["entity_id"] == given["lead"] for it in notes), True)
    expect(amo(given).get_deal_notes(given["lead"], note_type="call_in"), [])


def find_contact(given):
    made = amo(given).create_contact({"name": "Alan", "custom_fields_values": phone("+44 20 7946 0003")})
    expect(ids(amo(given).fetch_contacts(query="442079460003")), [made["id"]])
    expect(ids(amo(given).fetch_contacts(contact_ids=[made["id"]])), [made["id"]])


def ids(entries):
    return [entry["id"] for entry in entries]


def changed_since(given, since):
    return ids(amo(given).fetch_leads(updated_from=since))


run(
    {
        "refresh token": install,
        "get account": lambda given: expect(amo(given).get_account()["subdomain"], given["own_subdomain"]),
        "list leads": lambda given: expect(given["lead"] in ids(amo(given).fetch_leads()), True),
        "leads of pipeline": lambda given: expect(ids(amo(given).fetch_leads(pipeline_ids=[999])), []),
        "leads changed since": lambda given: expect(changed_since(given, time.time() + 86_400), []),
        "get lead": lambda given: expect(amo(given).get_deal_by_id(given["lead"])["id"], given["lead"]),
        "change lead": change_lead,
        "tag lead": tag_lead,
        "create lead": lambda given: expect(amo(given).create_lead({"name": "made"})["id"] > given["lead"], True),
        "create leads": lambda given: expect(len(amo(given).create_leads([{"name": "a"}, {"name": "b"}])), 2),
        "notes of lead": note,
        "notes by number": note_of_lead,
        "filter notes": filter_notes,
        "list contacts": lambda given: expect(given["contact"] in ids(amo(given).fetch_contacts()), True),
        "get contact": lambda given: expect(amo(given).get_contact_by_id(given["contact"])["id"], given["contact"]),
        "create contact": create_contact,
        "find contact": find_contact,
        "fields of leads": lambda given: expect(amo(given).get_custom_fields_mapping(), {}),
        "list users": lambda given: expect(amo(given).fetch_users()[0]["name"], "Ada"),
        "list pipelines": lambda given: expect(ids(amo(given).fetch_pipelines()), [1]),
    }
)
