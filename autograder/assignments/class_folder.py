"""The folder of a new class: a table of all exercises of the course, and what nbgrader needs."""

import json
from pathlib import Path

from autograder.assignments.script import scripts
from autograder.assignments.variants import VariantKeys, checked
from autograder.class_table import parsed
from autograder.errors import UsageError
from autograder.folders import COURSE, ROSTER
from autograder.folders import TABLE as FILE
from autograder.private import keep_unpublished, make_private

FOLDERS = ("solutions", "tasks")
PRIVATE = ("submitted", "grades")
TITLES = "student_id,first_name,last_name,email\n"
CONFIGURATION = '''\
"""nbgrader's settings for this class, from class.toml; `jupyter lab`, started in this folder, has formgrader."""

import os
from pathlib import Path

from autograder.settings import settings

root = Path(__file__).resolve().parent
# What was graded with another --output: `GRADES=grades/trial jupyter lab` shows that instead.
grades = root / os.environ.get("GRADES", "grades")
grades.mkdir(mode=0o700, parents=True, exist_ok=True)
c = get_config()  # noqa: F821
c.merge(settings(root, grades))

# The gradebook is a file in that folder, or a database on a Postgres server:
# c.CourseDirectory.db_url = "postgresql:///course"
'''
TABLE = """\
# The class. Every command reads this file; `python -m autograder syllabus` shows what it says and enters it.
name = {name}
time_zone = {zone}  # of all times below, and of submissions that name none
package = ""  # the folder on the web in which learners find the package that `wheel` builds; "": beside the book
late = 0  # per cent of an exercise's points that each day begun after it is due costs; 100: all at once
best = 0  # so many exercises count in the total, each learner's best; 0: all of them

# Those of the class: leave out what you do not teach, and add your own. One that is due at some time is a line such as
# 01_batches = {{weight = 1, due = 2026-10-20 12:00:00}}
# If a task proves faulty, this gives its points to all who handed in: {{weight = 1, full_points = ["length_mask"]}}
[exercises]
{exercises}

# Of one learner for one exercise, such as: ada.01_batches = 2026-10-27 12:00:00
[extensions]
"""


def make(folder: Path, time_zone: str = "UTC", variant: str = "") -> None:
    """Makes the folder, whose name is that of the class.

    Raises:
        UsageError: there is something in the folder, or no such time zone or key of a variant.
    """
    key = checked(variant)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already, expected the name of a new folder.")
    lines = [f"{path.stem} = {{weight = 1}}" for path in scripts(COURSE)]
    name, zone = (json.dumps(text, ensure_ascii=False) for text in (folder.resolve().name, time_zone))
    text = TABLE.format(name=name, zone=zone, exercises="\n".join(lines))
    parsed(text)  # the time zone may be none
    files = {FILE: text, ROSTER: TITLES, "nbgrader_config.py": CONFIGURATION}
    for name in FOLDERS:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name in PRIVATE:
        make_private(folder / name)
    for name, content in files.items():
        (folder / name).write_text(content, encoding="utf-8")
    keep_unpublished(folder)
    if key:
        VariantKeys(key).write(folder)
