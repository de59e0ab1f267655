"""``new-class``: a folder for a class, beside the installed package."""

import argparse
import json
from pathlib import Path

from autograder.commands.cli import OK
from autograder.errors import UsageError

TEXT = """\
Makes the folder of a class, beside the installed package.
Everything of the class is in it, and nothing of the course: an upgrade of the package leaves it alone.
All commands that are run in the folder are about this class.

examples:
  python -m autograder new-class autumn --time-zone Europe/Berlin
  python -m autograder new-class autumn --variant autumn-2026     tasks in the variants that this key selects

written into the folder:
  class.toml            the exercises with weights and due dates, the time zone, extensions, what lateness costs
  roster.csv            who is who, for `collect` and the gradebook
  solutions/, tasks/    exercises of your own
  nbgrader_config.py    what nbgrader and formgrader need; nothing to change
  .gitignore            keeps submissions and grades out of a repository
"""
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
[exercises]
{exercises}

# Of one learner for one exercise, such as: ada.01_batches = 2026-10-27 12:00:00
[extensions]
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="NAME", help="the folder to make, with the name of the class")
    parser.add_argument("--time-zone", default="UTC", metavar="ZONE", help="such as Europe/Berlin; default: UTC")
    parser.add_argument("--variant", default="", metavar="KEY", help="each task in the variant that this key selects")


def run(options: argparse.Namespace) -> int:
    from autograder.assignments.script import scripts
    from autograder.assignments.variants import VariantKeys, checked
    from autograder.class_table import parsed
    from autograder.folders import COURSE, ROSTER
    from autograder.folders import TABLE as FILE
    from autograder.private import keep_unpublished, make_private

    folder, key = options.folder, checked(options.variant)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"{folder} is there already, expected the name of a new folder.")
    names = [path.stem for path in scripts(COURSE)]
    lines = [f"{name} = {{weight = 1}}" for name in names]
    name, zone = (json.dumps(text, ensure_ascii=False) for text in (folder.resolve().name, options.time_zone))
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
    print(f"{folder}/ is the class: set due dates in {folder / FILE}. Then, in that folder,")
    print("  python -m autograder build       makes exercises/, which learners open")
    print("  python -m autograder wheel       the package that they install")
    print("  python -m autograder grade submitted")
    print(f"Try it on the sample class: python -m autograder grade {sample(COURSE)} --output build/trial")
    return OK


def sample(course: Path) -> Path:
    return course / "sample_class" / "submitted"
