"""Prints the trees of all forms in a folder, as parse_qsl and an assembly of brackets read them."""

import json
import pathlib
import re
import sys
from urllib.parse import parse_qsl


def tree(text):
    root = {}
    for key, value in parse_qsl(text, keep_blank_values=True, strict_parsing=True):
        *around, last = re.findall(r"[^\[\]]+", key)
        place = root
        for name in around:
            place = place.setdefault(name, {})
        place[last] = value
    return root


forms = pathlib.Path(sys.argv[1]).glob("*.form")
print(json.dumps({form.stem: tree(form.read_text(encoding="ascii")) for form in forms}))
