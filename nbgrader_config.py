"""nbgrader's settings for plain ``nbgrader`` commands and formgrader; they are defined in autograder/settings.py."""

import sys
from pathlib import Path

root = Path(__file__).resolve().parent
if str(root) not in sys.path:
    sys.path.insert(0, str(root))

from autograder.settings import settings  # noqa: E402

(root / "grades").mkdir(exist_ok=True)  # the gradebook's folder; nbgrader makes the gradebook, but no folder
c = get_config()  # noqa: F821
c.merge(settings(root, root / "grades"))

# What late work costs, under `nbgrader autograde` and `python -m autograder grade` alike: "none", or "zero" for all.
# Another rule is a class of your own: https://nbgrader.readthedocs.io/en/stable/plugins/late-plugin.html.
c.LateSubmissionPlugin.penalty_method = "none"
