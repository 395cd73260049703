"""Drives an installation as a bridge does it: amocrm-api for the account, amojowrapper for the chats. Nothing is changed."""

import json
import sys

import jwt
from amocrm.v2 import tokens
from amocrm.v2.account import AccountInteraction
from amojowrapper.actions import ChannelAction, MessageAction
from amojowrapper.client import AmojoClient

given = json.load(sys.stdin)
storage = tokens.MemoryTokensStorage()
tokens.default_token_manager(
    given["client_id"], given["client_secret"], given["subdomain"], given["redirect_uri"], storage
)
tokens.default_token_manager.init(given["code"])
told = {"account": AccountInteraction().get(include=["amojo_id"])}

# The access token is over: the library uses the refresh token by itself.
refresh_token = storage.get_refresh_token()
storage.save_tokens(jwt.encode({"exp": 1}, "a key of thirty-two bytes or more"), refresh_token)
told["again"] = AccountInteraction().get(include=["amojo_id"])
told["refreshed"] = storage.get_refresh_token() != refresh_token

account = told["account"]["amojo_id"]
client = AmojoClient(
    channel_id=given["channel"],
    channel_secret=given["secret"],
    referer=f"{given['subdomain']}.amocrm.ru",
    amojo_account_token=account,
)
told["connected"] = ChannelAction(client).connect(title="Bridge").model_dump()
told["sent"] = (
    MessageAction(client)
    .send(
        msgid="py-1",
        message_type="text",
        message_text="Is it in stock?",
        conversation_id="py-chat",
        sender_id="py-customer",
        sender_name="Grace",
    )
    .new_message.model_dump()
)
json.dump(told, sys.stdout)
