"""Uses `switchboard mcp` by the official client library, in each generation of the protocol, and says what it got."""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters


def read(result):
    """The text of a result, and whether it is a refusal."""
    return {"is_error": bool(result.is_error), "text": "".join(block.text for block in result.content)}


async def use(server, mode):
    steps = []

    async def on_progress(progress, total, message):
        steps.append([progress, total, message])

    async with Client(server, mode=mode) as client:
        listed = await client.list_tools()

        async def call(tool, **arguments):
            return read(await client.call_tool(tool, arguments))

        made = await call("make_world", name=f"library {mode}")
        world = json.loads(made["text"])["world"]["id"]
        await call("say", world=world, customer="bo", text="Have you any tulips?")
        await call("reply", world=world, text="Red ones.")
        waited = await call("wait", world=world, until="callback.delivered")
        journal = await call("read_journal", world=world)
        refused = await call("say", world=world, customer="bo", colour="red")
        exam = await client.call_tool("run_exam", {"only": [9, 28]}, progress_callback=on_progress)
        return {
            "version": client.protocol_version,
            "server": client.server_info.name,
            "tools": [tool.name for tool in listed.tools],
            "waited": waited,
            "journal": journal,
            "refused": refused,
            "exam": read(exam),
            "steps": steps,
        }


async def work(given):
    command, *arguments = given["command"]
    server = StdioServerParameters(command=command, args=arguments)
    return {mode: await use(server, mode) for mode in ("legacy", "auto")}


json.dump(asyncio.run(work(json.load(sys.stdin))), sys.stdout)
