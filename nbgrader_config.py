"""nbgrader's settings for plain ``nbgrader`` commands and formgrader; they are defined in autograder/settings.py."""

import sys
from pathlib import Path

root = Path(__file__).resolve().parent
sys.path.insert(0, str(root))

from autograder.settings import settings  # noqa: E402

c = get_config()  # noqa: F821
c.merge(settings(root, root / "grades"))
