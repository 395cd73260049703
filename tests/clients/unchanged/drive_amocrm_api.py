"""Drives amocrm-api, which takes its tokens from a store and reads from an access token when it expires."""

import jwt
from amocrm.v2 import Contact, Lead, Pipeline, Tag, User, tokens
from amocrm.v2.account import AccountInteraction
from amocrm.v2.entity.custom_field import ContactPhoneField, CustomFieldModel
from amocrm.v2.entity.pipeline import Status
from amocrm.v2.filters import DateRangeFilter, FiltersByPipelineAndStatus, SingleListFilter
from operations import expect, run

storage = tokens.MemoryTokensStorage()


class Person(Contact):
    """A contact with its phone number."""

    phone = ContactPhoneField("Phone", code="PHONE")


def connect(given):
    install = given["install"]
    tokens.default_token_manager(
        install["client_id"], install["client_secret"], given["subdomain"], install["redirect_uri"], storage
    )
    return install


def exchange(given):
    tokens.default_token_manager.init(connect(given)["codes"].pop())
    account(given)


def refresh(given):
    install = connect(given)
    storage.save_tokens(jwt.encode({"exp": 1}, "a key of thirty-two bytes or more"), install["refresh_tokens"].pop())
    account(given)


def connected(operation):
    """An operation with the access token of the input."""

    def work(given):
        install = connect(given)
        storage.save_tokens(install["access_token"], install["refresh_token"])
        operation(given)

    return work


def account(given):
    expect(AccountInteraction().get()["subdomain"], given["own_subdomain"])


def change(model, entity):
    found = model.objects.get(entity)
    found.name = "amocrm-api"
    found.save()
    expect(model.objects.get(entity).name, "amocrm-api")


def tag(model, entity):
    found = model.objects.get(entity)
    found.tags.append("vip")
    found.save()
    expect("vip" in [it.name for it in model.objects.get(entity).tags], True)


def note(model, entity):
    found = model.objects.get(entity)
    found.notes(text="noted").save()
    expect("noted" in [it.text for it in found.notes.objects.all()], True)


def find(model, **wanted):
    return [it.id for it in model.objects.filter(**wanted)]


def find_lead(given):
    expect(find(Lead, query="no such lead"), [])
    expect(given["lead"] in find(Lead, query="grace"), True)


def filter_leads(given):
    expect(find(Lead, filters=(SingleListFilter("pipeline_id")(999),)), [])
    expect(find(Lead, filters=(FiltersByPipelineAndStatus("statuses")(1, 143),)), [])
    day = [tokens.datetime(2099, 1, number) for number in (1, 2)]
    expect(find(Lead, filters=(DateRangeFilter("updated_at")(*day),)), [])
    expect(find(Lead, filters=(SingleListFilter("id")(given["lead"]),)), [given["lead"]])


def sort_leads(_):
    ids = find(Lead, order={"id": "desc"})
    expect(ids, sorted(ids, reverse=True))


def create_contact(given):
    made = Person(name="made by amocrm-api", phone="+44 20 7946 0002").save()
    expect(find(Person, query="442079460002"), [made.id])


def fields(_):
    codes = [it.code for it in CustomFieldModel.get_for(Contact())]
    expect(sorted(codes), ["EMAIL", "PHONE"])


def tags_of_leads(_):
    made = Tag.leads.create(name="regular")
    expect(made.id in [it.id for it in Tag.leads.all()], True)


lead = lambda given: Lead.objects.get(given["lead"])  # noqa: E731
contact = lambda given: Contact.objects.get(given["contact"])  # noqa: E731

CONNECTED = {
    "get account": account,
    "list leads": lambda given: expect(given["lead"] in [it.id for it in Lead.objects.all()], True),
    "get lead": lambda given: expect(lead(given).id, given["lead"]),
    "find lead": find_lead,
    "filter leads": filter_leads,
    "sort leads": sort_leads,
    "status of lead": lambda given: expect(lead(given).status.name, "Incoming leads"),
    "contacts of lead": lambda given: expect([it.id for it in lead(given).contacts], [given["contact"]]),
    "change lead": lambda given: change(Lead, given["lead"]),
    "create lead": lambda given: expect(Lead.objects.create(name="made").id > given["lead"], True),
    "tag lead": lambda given: tag(Lead, given["lead"]),
    "notes of lead": lambda given: note(Lead, given["lead"]),
    "tags of leads": tags_of_leads,
    "list contacts": lambda given: expect(given["contact"] in [it.id for it in Contact.objects.all()], True),
    "get contact": lambda given: expect(contact(given).id, given["contact"]),
    "leads of contact": lambda given: expect([it.id for it in contact(given).leads], [given["lead"]]),
    "change contact": lambda given: change(Contact, given["contact"]),
    "create contact": create_contact,
    "tag contact": lambda given: tag(Contact, given["contact"]),
    "notes of contact": lambda given: note(Contact, given["contact"]),
    "fields of contacts": fields,
    "list pipelines": lambda given: expect(len(list(Pipeline.objects.all())), 1),
    "get pipeline": lambda given: expect(Pipeline.objects.get(1).id, 1),
    "statuses of pipeline": lambda given: expect(142 in [it.id for it in Status.get_for(1).all()], True),
    "list users": lambda given: expect(next(User.objects.all()).name, "Ada"),
    "get user": lambda given: expect(User.objects.get(1).name, "Ada"),
}

run({name: connected(operation) for name, operation in CONNECTED.items()} | {"exchange code": exchange, "refresh token": refresh})
