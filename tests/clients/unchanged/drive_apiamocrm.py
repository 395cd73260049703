"""Drives apiAmoCRM: the account side and the chat interface, whose host it has built in."""

import functools

from amoApi import AmoClient
from amoChatApi.API import ChatApi
from operations import expect, run


@functools.cache
def client(token, subdomain):
    return AmoClient(token, subdomain)


@functools.cache
def chat(secret, channel, account):
    return ChatApi(secret, channel, account, "Канал", "shop 7")


def amo(given):
    return client(given["token"], given["subdomain"])


def chats(given):
    return chat(given["secret"], given["channel"], given["account"])


def of_customer(payload, name):
    payload.set_message_id(name)
    payload.set_conversation_id("apiamocrm-chat")
    payload.set_sender_id("apiamocrm-customer")
    payload.set_sender_name("Вася")
    return payload


def message(given):
    payload = of_customer(chats(given).create_new_text_message(), "apiamocrm-1")
    payload.message.set_text("Привет / hello")
    return payload


def send(given):
    answer = message(given).send()
    answer.raise_for_status()
    expect(answer.json()["new_message"]["ref_id"], "apiamocrm-1")


def edit(given):
    payload = message(given)
    payload.set_event_type("edit_message")
    payload.message.set_text("Привет, снова")
    payload.send().raise_for_status()


def lead(given):
    found = amo(given).get_lead(given["lead"])
    expect(found.get_id(), given["lead"])
    return found


def photo(given):
    payload = of_customer(chats(given).create_new_photo_message(), "apiamocrm-2")
    payload.message.set_url("https://example.com/tulips.png")
    payload.message.set_name("tulips.png")
    payload.message.set_file_size(1000)
    payload.send().raise_for_status()


def change_lead(given):
    found = lead(given)
    found.set_name("apiAmoCRM")
    found.patch()
    expect(lead(given).get_name(), "apiAmoCRM")


def contact(given):
    found = amo(given).get_contact(given["contact"])
    expect(found.get_id(), given["contact"])
    return found


def change_contact(given):
    found = contact(given)
    found.set_name("apiAmoCRM")
    found.patch()
    expect(contact(given).get_name(), "apiAmoCRM")


def create_lead(given):
    made = amo(given).create_lead([{"name": "made by apiAmoCRM"}])
    expect(amo(given).get_lead(made.get_id()).get_name(), "made by apiAmoCRM")


def sources(given):
    made = amo(given).create_source("Shop", "apiamocrm")
    made = made["_embedded"]["sources"][0]
    known = amo(given).get_sources()["_embedded"]["sources"]
    expect([it["name"] for it in known if it["id"] == made["id"]], ["Shop"])


def delete_source(given):
    made = amo(given).create_source("Shop", "apiamocrm-2")
    amo(given).delete_source(made["_embedded"]["sources"][0]["id"])


run(
    {
        "connect": lambda given: expect(chats(given).scope_id, f"{given['channel']}_{given['account']}"),
        "create chat": lambda given: chats(given).create_chat("c", {"id": "apiamocrm-customer", "name": "Вася"}),
        "send message": send,
        "send photo": photo,
        "edit message": edit,
        "report delivery": lambda given: chats(given).change_message_status(given["reply"], -1, 905, "Ошибка"),
        "sign in": amo,
        "list leads": lambda given: expect(given["lead"] in [it.get_id() for it in amo(given).get_leads()], True),
        "get lead": lead,
        "contacts of lead": lambda given: expect([it.get_id() for it in lead(given).get_contacts()], [given["contact"]]),
        "tags of lead": lambda given: expect(lead(given).get_tags(), []),
        "change lead": change_lead,
        "create lead": create_lead,
        "note on lead": lambda given: lead(given).add_text_note("noted"),
        "list contacts": lambda given: expect(
            given["contact"] in [it.get_id() for it in amo(given).get_contacts()], True
        ),
        "get contact": contact,
        "leads of contact": lambda given: expect([it.get_id() for it in contact(given).get_leads()], [given["lead"]]),
        "change contact": change_contact,
        "chats of contact": lambda given: expect(
            len(amo(given).get_contact_links(contacts_id=[given["contact"]])["_embedded"]["chats"]) > 0, True
        ),
        "fields of contacts": lambda given: expect(len(amo(given).get_cfs("contacts")), 2),
        "list users": lambda given: expect(amo(given).get_users()[0].get_name(), "Ada"),
        "list pipelines": lambda given: expect(len(amo(given).get_pipelines()["_embedded"]["pipelines"]), 1),
        "sources": sources,
        "delete source": delete_source,
        "disconnect": lambda given: chats(given).disconnect(),
    }
)
