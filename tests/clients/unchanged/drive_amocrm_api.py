"""Drives amocrm-api, whose tokens come from the installation flow."""

from amocrm.v2 import Contact, Lead, Pipeline, User, tokens
from amocrm.v2.account import AccountInteraction
from operations import expect, run


def install(given):
    storage = tokens.MemoryTokensStorage()
    manager = tokens.default_token_manager
    install = given["install"]
    manager(install["client_id"], install["client_secret"], given["subdomain"], install["redirect_uri"], storage)
    manager.init(install["codes"].pop())


def change_lead(given):
    lead = Lead.objects.get(given["lead"])
    lead.name = "amocrm-api"
    lead.save()
    expect(Lead.objects.get(given["lead"]).name, "amocrm-api")


def change_contact(given):
    contact = Contact.objects.get(given["contact"])
    contact.name = "amocrm-api"
    contact.save()
    expect(Contact.objects.get(given["contact"]).name, "amocrm-api")


run(
    {
        "exchange code": install,
        "get account": lambda given: expect(AccountInteraction().get()["subdomain"], given["own_subdomain"]),
        "list leads": lambda given: expect(given["lead"] in [it.id for it in Lead.objects.all()], True),
        "get lead": lambda given: expect(Lead.objects.get(given["lead"]).id, given["lead"]),
        "find lead": lambda given: expect(next(Lead.objects.filter(query="no such lead"), None), None),
        "status of lead": lambda given: expect(isinstance(Lead.objects.get(given["lead"]).status.name, str), True),
        "change lead": change_lead,
        "create lead": lambda given: expect(Lead.objects.create(name="made").id > given["lead"], True),
        "list contacts": lambda given: expect(given["contact"] in [it.id for it in Contact.objects.all()], True),
        "get contact": lambda given: expect(Contact.objects.get(given["contact"]).id, given["contact"]),
        "change contact": change_contact,
        "list pipelines": lambda given: expect(len(list(Pipeline.objects.all())), 1),
        "get pipeline": lambda given: expect(Pipeline.objects.get(1).id, 1),
        "list users": lambda given: expect(next(User.objects.all()).name, "Ada"),
        "get user": lambda given: expect(User.objects.get(1).name, "Ada"),
    }
)
