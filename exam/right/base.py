"""The programs that each one here changes, and stays right: they hold the rule of their number in another way."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "examples" / "python"))
