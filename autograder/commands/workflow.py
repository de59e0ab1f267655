"""``workflow``: workflow files, so that a learner's own repository checks itself at each push."""

import argparse
from pathlib import Path

from autograder.commands.cli import FAILED, OK, warn

TEXT = """\
Writes workflow files for the repositories in which learners work: .github/workflows/check.yml and .gitlab-ci.yml.
At each push, GitHub or GitLab installs the learners' package from where the book is published (`html: baseurl` in
_config.yml) and runs `learn check`: the visible checks of all exercises that are begun. Their results are kept as
results.json. The hidden checks and the grade stay with you.

examples:
  python -m autograder workflow                   into build/workflow/, to be copied into a template repository
  python -m autograder workflow ../template

exit status:
  0  written     1  a different file was there and was kept; --replace overwrites it
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    default = Path("build/workflow")
    parser.add_argument("folder", type=Path, nargs="?", default=default, metavar="DIR", help=f"default: {default}")
    parser.add_argument("--replace", action="store_true", help="overwrite files that differ")


def run(options: argparse.Namespace) -> int:
    from autograder.assignments.workflow import workflows

    status = OK
    for name, text in workflows(options.root).items():
        path = options.folder / name
        if path.exists() and path.read_text(encoding="utf-8") != text and not options.replace:
            warn(options, f"{path} is another file, and was kept; --replace overwrites it.")
            status = FAILED
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(path)
    return status
