"""nbgrader's settings for plain ``nbgrader`` commands and formgrader; they are defined in autograder/settings.py."""

import os
import sys
from pathlib import Path

root = Path(__file__).resolve().parent
if str(root) not in sys.path:
    sys.path.insert(0, str(root))

from autograder.settings import settings  # noqa: E402

# What was graded with another --output: `GRADES=grades/spring jupyter lab` shows that instead.
grades = root / os.environ.get("GRADES", "grades")
grades.mkdir(mode=0o700, parents=True, exist_ok=True)  # nbgrader makes the gradebook, but no folder for it
c = get_config()  # noqa: F821
c.merge(settings(root, grades))

# The gradebook is a file in that folder, or a database on a Postgres server, for all commands here and of nbgrader:
# c.CourseDirectory.db_url = "postgresql:///course"

# What late work costs, under `nbgrader autograde` and `python -m autograder grade` alike: "none", or "zero" for all.
# Another rule is a class of your own: https://nbgrader.readthedocs.io/en/stable/plugins/late-plugin.html.
c.LateSubmissionPlugin.penalty_method = "none"

# Where the course is: the zone of times of submission that name none, such as Moodle's; default: this machine's.
# c.Course.time_zone = "Europe/Berlin"
