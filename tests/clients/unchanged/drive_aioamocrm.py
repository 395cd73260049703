"""Drives aioamocrm: asynchronous, and with typed answers."""

import asyncio

from aioamocrm import AmoCRMClient, LongLivedToken, Note, OAuth2
from operations import expect, run


def by(auth, given, work):
    async def session():
        async with AmoCRMClient(subdomain=given["subdomain"], auth=auth, rate_limit=None) as amo:
            return await work(amo)

    return asyncio.run(session())


def asked(work):
    """An operation with the token of a user."""
    return lambda given: by(LongLivedToken(given["token"]), given, lambda amo: work(amo, given))


def install(given):
    install = given["install"]
    auth = OAuth2(install["client_id"], install["client_secret"], install["redirect_uri"])

    async def work(amo):
        await amo.exchange_code(install["codes"].pop())
        await amo.auth.refresh(amo._endpoint)
        return await amo.account.get()

    expect(by(auth, given, work).subdomain, given["own_subdomain"])


async def account(amo, given):
    found = await amo.account.get(with_=["amojo_id"])
    expect((found.subdomain, found.amojo_id), (given["own_subdomain"], given["account"]))


async def listed(resource, wanted):
    expect(wanted in [it.id async for it in resource.iterate()], True)


async def change(resource, entity):
    await resource.update([{"id": entity, "name": "aioamocrm"}])
    expect((await resource.get(entity)).name, "aioamocrm")


async def create(resource):
    [made] = await resource.create([{"name": "made by aioamocrm"}])
    expect((await resource.get(made.id)).name, "made by aioamocrm")


async def find(resource):
    page = await resource.get_page(query="nothing has this name")
    expect(len(page.items), 0)


async def note(amo, given):
    await amo.leads.notes.create([Note.common(given["lead"], "noted")])
    texts = [it.params["text"] async for it in amo.leads.notes.iterate(entity_id=given["lead"])]
    expect("noted" in texts, True)


async def note_of_contact(amo, given):
    [made] = await amo.contacts.notes.create([Note.common(given["contact"], "noted")])
    found = await amo.contacts.notes.get(made.id, entity_id=given["contact"])
    expect(found.params["text"], "noted")


async def leads_of_contact(amo, given):
    found = await amo.contacts.get(given["contact"], with_=["leads"])
    expect([it["id"] for it in found.model_dump(by_alias=True)["_embedded"]["leads"]], [given["lead"]])


async def filter_leads(amo, given):
    page = await amo.leads.get_page(filter={"id": [given["lead"]]}, order={"id": "desc"})
    expect([it.id for it in page.items], [given["lead"]])
    page = await amo.leads.get_page(filter={"statuses": [{"pipeline_id": 1, "status_id": 143}]})
    expect([it.id for it in page.items], [])


async def field(amo, _):
    expect((await amo.contacts.custom_fields.get(1)).code, "PHONE")


async def fields(resource):
    expect(len([it async for it in resource.iterate()]), 2)


async def no_fields(resource):
    expect([it async for it in resource.iterate()], [])


async def pipelines(amo, _):
    expect(len(await amo.pipelines.list()), 1)


async def pipeline(amo, _):
    expect((await amo.pipelines.get(1)).id, 1)


async def statuses(amo, _):
    expect(142 in [it.id for it in await amo.pipelines.statuses(1)], True)


async def user(amo, _):
    expect((await amo.users.get(1)).name, "Ada")


async def get(resource, entity):
    expect((await resource.get(entity)).id, entity)


run(
    {
        "exchange code and refresh": install,
        "get account": asked(account),
        "list leads": asked(lambda amo, given: listed(amo.leads, given["lead"])),
        "get lead": asked(lambda amo, given: get(amo.leads, given["lead"])),
        "find lead": asked(lambda amo, _: find(amo.leads)),
        "change leads": asked(lambda amo, given: change(amo.leads, given["lead"])),
        "create leads": asked(lambda amo, _: create(amo.leads)),
        "filter leads": asked(filter_leads),
        "notes of lead": asked(note),
        "notes of contact": asked(note_of_contact),
        "list contacts": asked(lambda amo, given: listed(amo.contacts, given["contact"])),
        "get contact": asked(lambda amo, given: get(amo.contacts, given["contact"])),
        "find contact": asked(lambda amo, _: find(amo.contacts)),
        "change contacts": asked(lambda amo, given: change(amo.contacts, given["contact"])),
        "create contacts": asked(lambda amo, _: create(amo.contacts)),
        "leads of contact": asked(leads_of_contact),
        "field of contacts": asked(field),
        "fields of leads": asked(lambda amo, _: no_fields(amo.leads.custom_fields)),
        "fields of contacts": asked(lambda amo, _: fields(amo.contacts.custom_fields)),
        "list pipelines": asked(pipelines),
        "get pipeline": asked(pipeline),
        "statuses of pipeline": asked(statuses),
        "list users": asked(lambda amo, _: listed(amo.users, 1)),
        "get user": asked(user),
    }
)
