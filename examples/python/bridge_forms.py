"""The forms of callbacks, as the bridge reads them: nothing has to be there, and anything may be of another type."""

import time


def message_of(event):
    """The event of a message, also that of an edit, or nothing."""
    action = part_of(event, "action")
    return part_of(action, "edit_message") or part_of(action, "edit") or part_of(event, "message")


def is_edit(event):
    action = part_of(event, "action")
    return event.get("event_type") == "edit_message" or bool(part_of(action, "edit_message") or part_of(action, "edit"))


def content_of(event):
    return part_of(message_of(event), "message")


def part_of(value, name):
    """The object of this name; without one, an empty object: absent, `null` and `""` are the same."""
    part = value.get(name)
    return part if isinstance(part, dict) else {}


def text_of(value):
    """The text, without halves of surrogate pairs, which are in no UTF-8; anything else is no text."""
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(value, str) else ""


def written_at(event):
    """The time of the message, in milliseconds."""
    message = message_of(event)
    for name, factor in (("msec_timestamp", 1), ("timestamp", 1000)):
        value = message.get(name)
        if isinstance(value, int) and 0 < value < 1 << 50:
            return value * factor
    return int(time.time() * 1000)


def button_lines(markup):
    """The buttons and the rows of a list, a line for each: the customer answers with the text of one."""
    rows = markup.get("buttons") if isinstance(markup.get("buttons"), list) else []
    buttons = [button for row in rows if isinstance(row, list) for button in row if isinstance(button, dict)]
    choices = part_of(markup, "list_message")
    sections = choices.get("sections") if isinstance(choices.get("sections"), list) else []
    lines = [text_of(choices.get(name)) for name in ("header", "body", "footer")]
    for section in (section for section in sections if isinstance(section, dict)):
        lines.append(text_of(section.get("title")))
        items = section.get("rows") if isinstance(section.get("rows"), list) else []
        lines += [f"- {text_of(item.get('title'))}" for item in items if isinstance(item, dict)]
    for button in buttons:
        lines.append(": ".join(filter(None, (text_of(button.get("text")), text_of(button.get("url"))))))
    return [line for line in lines if line]
