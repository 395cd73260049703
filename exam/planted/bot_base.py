"""The bot that each planted one breaks in one place."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
from bot import *  # noqa: E402, F403
