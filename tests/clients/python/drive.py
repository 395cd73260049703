"""Drives the library amojowrapper, as it is published, through all its operations against a running service.

Reads what it is given as JSON on standard input, writes what the library made of the answers as JSON on standard output.
The only thing that is changed is a public attribute: where the service is. Behind the proxy nothing is changed.
"""

import json
import sys

from amojowrapper.actions import (
    ChannelAction,
    ChatAction,
    DeliveryStatusAction,
    HistoryAction,
    MessageAction,
    ReactAction,
    TypingAction,
)
from amojowrapper.client import AmojoClient
from amojowrapper.validators.webhook import WebhookValidator

CUSTOMER = {
    "sender_id": "py-customer",
    "sender_name": "Вася / Grace",
    "sender_avatar": "https://example.com/a.png",
    "sender_profile_phone": "+79151112233",
    "sender_profile_email": "grace@example.com",
    "sender_profile_link": "https://example.com/grace",
}
FILE = {"message_media": "https://example.com/a/b.png", "message_file_name": "b.png", "message_file_size": 7}
KINDS = {
    "text": {"message_text": "Здравствуйте / hello 😀"},
    "picture": FILE,
    "video": {**FILE, "message_text": "along with it"},
    "file": FILE,
    "voice": {"message_media": "https://example.com/v.ogg"},
    "audio": {"message_media": "https://example.com/v.mp3"},
    "sticker": {"message_sticker_id": "sticker-7"},
    "contact": {"message_contact_name": "Alan", "message_contact_phone": "+44"},
    "location": {"message_location_lon": -0.5, "message_location_lat": 51.25},
}


def first(given, client):
    """Everything up to the answer of an account user."""
    told = {"connected": ChannelAction(client).connect(title="Канал").model_dump()}
    chat = ChatAction(client).create(
        conversation_id="py-chat",
        source_external_id="shop 7",
        user_id="py-customer",
        user_name="Grace",
        user_avatar="https://example.com/a.png",
        user_profile_phone="+79151112233",
        user_profile_email="grace@example.com",
    )
    told["chat"] = chat.model_dump()
    messages = MessageAction(client)
    place = {"conversation_id": "py-chat"}
    told["sent"] = {
        kind: messages.send(
            msgid=f"py-{kind}", message_type=kind, source_external_id="shop 7", **fields, **place, **CUSTOMER
        ).new_message.model_dump()
        for kind, fields in KINDS.items()
    }
    text = told["sent"]["text"]["msgid"]
    for name, quoted in {"reply_to_msgid": "py-text", "reply_to_ref_msgid": text}.items():
        messages.send(msgid=name, message_type="text", message_text="and?", **{name: quoted}, **place, **CUSTOMER)
    told["edited"] = messages.edit(
        msgid="py-text", message_type="text", message_text="changed", **place
    ).new_message.model_dump()
    told["imported"] = messages.send(
        msgid="py-out",
        message_type="text",
        message_text="written elsewhere",
        conversation_ref_id=chat.id,
        sender_id="py-manager",
        sender_ref_id=given["user"],
        receiver_id="py-customer",
        silent=True,
    ).new_message.model_dump()
    told["imported_of_bot"] = messages.send(
        msgid="py-bot",
        message_type="text",
        message_text="a bot says",
        sender_id="py-bot",
        sender_ref_id=given["bot"],
        receiver_ref_id=chat.user.id,
        silent=True,
        **place,
    ).new_message.model_dump()
    typing, react = TypingAction(client), ReactAction(client)
    told["typing"] = [
        typing.send(sender_id="py-customer", **place),
        typing.send(sender_ref_id=chat.user.id, conversation_ref_id=chat.id),
    ]
    told["react"] = [
        react.set(id=text, user_id="py-customer", type=kind, emoji="😍", **place).status_code
        for kind in ("react", "react", "unreact", "react")
    ]
    told["react"].append(
        react.set(id=text, user_ref_id=given["user"], type="react", conversation_ref_id=chat.id).status_code
    )
    told["history"] = HistoryAction(client).get(conversation_ref_id=chat.id).model_dump()
    return told


def then(given, client):
    """What follows the answer of an account user, up to the end of the connection."""
    delivery = DeliveryStatusAction(client)
    return {
        "statuses": [
            delivery.set(msgid=given["message"], delivery_status=-1, error_code=905, error="Текст ошибки"),
            delivery.set(msgid=given["message"], delivery_status=1),
            delivery.set(msgid=given["message"], delivery_status=2),
        ],
        "callback": WebhookValidator(client).validate(given["callback"], given["signature"]),
        "history": HistoryAction(client).get(conversation_ref_id=given["conversation"]).model_dump(),
        "disconnected": ChannelAction(client).disconnect(),
    }


def main():
    given = json.load(sys.stdin)
    client = AmojoClient(
        channel_secret=given["secret"],
        channel_id=given["channel"],
        referer="example.amocrm.ru",
        amojo_account_token=given["account"],
    )
    if given["url"]:
        client.amojo_base_url = given["url"]
    told = {"first": first, "then": then}[given["do"]](given, client)
    json.dump(told, sys.stdout)


main()
