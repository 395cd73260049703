"""Drives py-amo-client, whose module is `py_amo`: synchronous and asynchronous, with typed answers."""

import asyncio

from operations import expect, run
from py_amo.schemas import ContactSchema, LeadSchema, SourceSchema
from py_amo.services import AmoSession, AsyncAmoSession


def amo(given):
    return AmoSession(given["token"], given["subdomain"])


def by(work):
    """An operation of the asynchronous session."""

    async def session(given):
        amo = AsyncAmoSession(given["token"], given["subdomain"])
        async with amo.get_async_session():
            await work(amo, given)

    return lambda given: asyncio.run(session(given))


def ids(entries):
    return [entry.id for entry in entries]


def account(given):
    found = amo(given).get_me()
    expect((found.subdomain, found.amojo_id), (given["own_subdomain"], given["account"]))


def find_leads(given):
    expect(ids(amo(given).leads.get_all(query="nothing has this name")), [])
    expect(ids(amo(given).leads.get_all(**{"filter[id]": given["lead"]})), [given["lead"]])


def change_lead(given):
    found = amo(given).leads.get_by_id(given["lead"])
    found.name = "py_amo"
    expect(amo(given).leads.update(found).name, "py_amo")


def create_leads(given):
    [made] = amo(given).leads.create([LeadSchema(name="made by py_amo")])
    expect(amo(given).leads.get_by_id(made.id).name, "made by py_amo")


def change_contact(given):
    found = amo(given).contacts.get_by_id(given["contact"])
    found.name = "py_amo"
    expect(amo(given).contacts.update(found).name, "py_amo")


def create_contacts(given):
    amo(given).contacts.create([ContactSchema(name="made by py_amo", _embedded=None)])
    [made] = amo(given).contacts.get_all(query="made by py_amo")
    expect(made.name, "made by py_amo")


def sources(given):
    known = amo(given).sources
    known.create([SourceSchema(id=0, name="Shop", pipeline_id=1, external_id="py_amo")])
    [made] = known.get_all(**{"filter[external_id]": "py_amo"})
    expect(known.get_by_id(made.id).external_id, "py_amo")
    known.delete(made.id)
    expect(known.get_by_id(made.id), None)


def change_source(given):
    known = amo(given).sources
    known.create([SourceSchema(id=0, name="Shop", pipeline_id=1, external_id="py_amo, changed")])
    [made] = known.get_all(**{"filter[external_id]": "py_amo, changed"})
    made.name = "Store"
    expect(known.update(made).name, "Store")


async def listed(repository, wanted):
    expect(wanted in ids(await repository.get_all()), True)


async def create_by_async(amo, _):
    [made] = await amo.leads.create([LeadSchema(name="made by py_amo")])
    expect((await amo.leads.get_by_id(made.id)).name, "made by py_amo")


async def change_by_async(amo, given):
    found = await amo.leads.get_by_id(given["lead"])
    found.name = "py_amo, asynchronous"
    expect((await amo.leads.update(found)).name, "py_amo, asynchronous")


run(
    {
        "get account": account,
        "list leads": lambda given: expect(given["lead"] in ids(amo(given).leads.get_all(with_="contacts")), True),
        "get lead": lambda given: expect(amo(given).leads.get_by_id(given["lead"]).id, given["lead"]),
        "no such lead": lambda given: expect(amo(given).leads.get_by_id(999), None),
        "find leads": find_leads,
        "change lead": change_lead,
        "create leads": create_leads,
        "list contacts": lambda given: expect(given["contact"] in ids(amo(given).contacts.get_all()), True),
        "get contact": lambda given: expect(amo(given).contacts.get_by_id(given["contact"]).id, given["contact"]),
        "change contact": change_contact,
        "create contacts": create_contacts,
        "list users": lambda given: expect(amo(given).users.get_all()[0].name, "Ada"),
        "get user": lambda given: expect(amo(given).users.get_by_id(1).name, "Ada"),
        "list pipelines": lambda given: expect(ids(amo(given).pipelines.get_all()), [1]),
        "get pipeline": lambda given: expect(142 in ids(amo(given).pipelines.get_by_id(1).statuses), True),
        "statuses of pipeline": lambda given: expect(142 in ids(amo(given).pipeline_statuses(1).get_all()), True),
        "get status": lambda given: expect(amo(given).pipeline_statuses(1).get_by_id(142).id, 142),
        "sources": sources,
        "change source": change_source,
        "list leads (async)": by(lambda amo, given: listed(amo.leads, given["lead"])),
        "change lead (async)": by(change_by_async),
        "create leads (async)": by(create_by_async),
        "list contacts (async)": by(lambda amo, given: listed(amo.contacts, given["contact"])),
        "list users (async)": by(lambda amo, _: listed(amo.users, 1)),
        "list pipelines (async)": by(lambda amo, _: listed(amo.pipelines, 1)),
        "statuses of pipeline (async)": by(lambda amo, _: listed(amo.pipeline_statuses(1), 142)),
    }
)
