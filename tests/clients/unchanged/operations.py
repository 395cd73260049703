"""What the drivers of libraries for Python share: each operation runs by itself, and is reported by its name."""

import json
import sys


def run(operations):
    """Runs operations in their order; each takes what the test gives, and fails by raising."""
    given = json.load(sys.stdin)
    told = {}
    for name, operation in operations.items():
        try:
            operation(given)
            told[name] = ""
        except Exception as error:  # noqa: BLE001 - a library raises what it likes
            told[name] = f"{type(error).__name__}: {error}"[:300]
    json.dump(told, sys.stdout)


def expect(found, wanted):
    """Fails unless both are equal."""
    if found != wanted:
        raise AssertionError(f"expected {wanted!r}, found {found!r}")
