"""Forms with the bracket keys of PHP, as the hooks of an account have them."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qsl

# As PHP has it; what is deeper is left out.
_DEPTH_MAX = 64
_KEY = re.compile(r"([^\[]+)((?:\[[^\]]*\])*)")


def parse_form(body: bytes) -> dict[str, Any]:
    """The fields of a form as a tree: `a[b][0]=c` is `{"a": {"b": ["c"]}}`. All values are texts."""
    tree: dict[str, Any] = {}
    for key, value in parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True):
        found = _KEY.match(key)
        if found is None:
            continue
        first, brackets = found.groups()
        # One that is not closed belongs to the name.
        names = [first, *brackets[1:-1].split("][")] if brackets else [key]
        if len(names) <= _DEPTH_MAX:
            _put(tree, names, value)
    return {name: _with_lists(item) for name, item in tree.items()}


def _put(tree: dict[str, Any], names: list[str], value: str) -> None:
    for place, name in enumerate(names):
        # An empty name stands for the next number.
        name = name or str(sum(key.isdecimal() for key in tree))
        if place == len(names) - 1:
            tree[name] = value
            return
        inner = tree.get(name)
        if not isinstance(inner, dict):
            inner = tree[name] = {}
        tree = inner


def _with_lists(tree: Any) -> Any:
    """What has the names 0, 1, … becomes a list."""
    if not isinstance(tree, dict):
        return tree
    items = {name: _with_lists(item) for name, item in tree.items()}
    is_list = list(items) == [str(place) for place in range(len(items))]
    return list(items.values()) if is_list else items
