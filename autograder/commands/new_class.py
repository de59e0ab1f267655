"""``new-class``: a folder for a class, beside the installed package."""

import argparse
import shlex
from pathlib import Path

from autograder.commands.cli import OK

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


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, metavar="NAME", help="the folder to make, with the name of the class")
    parser.add_argument("--time-zone", default="UTC", metavar="ZONE", help="such as Europe/Berlin; default: UTC")
    parser.add_argument("--variant", default="", metavar="KEY", help="each task in the variant that this key selects")


def run(options: argparse.Namespace) -> int:
    from autograder.assignments.class_folder import make
    from autograder.folders import COURSE, ROSTER, TABLE

    folder = options.folder
    make(folder, options.time_zone, options.variant)
    print(f"{folder}/ is the class: set due dates in {folder / TABLE}, list who is in it in {folder / ROSTER}.")
    print("Then, in that folder,")
    print("  python -m autograder syllabus           shows what the table says, and makes a page of it for learners")
    print("  python -m autograder build              makes exercises/, which they open")
    print("  python -m autograder wheel              makes the package that they install")
    print("  python -m autograder collect DOWNLOAD   puts what they hand in into submitted/")
    print("  python -m autograder grade submitted")
    sample = COURSE / "sample_class" / "submitted"
    print(f"Try it on the sample class: python -m autograder grade {shlex.quote(str(sample))} --output build/trial")
    return OK
