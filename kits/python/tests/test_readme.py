from __future__ import annotations

import re
import shutil
from pathlib import Path

KIT = Path(__file__).resolve().parents[1]
README = (KIT / "README.md").read_text("utf-8")


def test_the_tests_in_the_readme_pass(pytester):
    examples = re.findall(r"^```python\n(.*?)^```", README, re.DOTALL | re.MULTILINE)
    assert len(examples) == 5
    assert len(examples[0].splitlines()) <= 10
    pytester.makepyfile("\n\n".join(examples))
    # The program that the exam of the page examines.
    for file in (KIT.parents[1] / "examples" / "python").glob("bridge*.py"):
        shutil.copy(file, pytester.path)
    pytester.runpytest_inprocess().assert_outcomes(passed=5)


def test_every_public_function_is_in_the_readme():
    import switchboard_testing as kit

    names = {name for name in kit.__all__ if name not in ("Account", "Channel", "Customer", "User", "Received", "Hook")}
    for thing in (kit.Switchboard, kit.World, kit.Receiver, kit.Customer, kit.User):
        names |= {name for name in vars(thing) if not name.startswith("_")}
    words = set(re.findall(r"\w+", README))
    assert names - words == set()
