"""``collect``: what an LMS gave → nbgrader's folders."""

import argparse
import dataclasses
import json
import sys
from pathlib import Path

from autograder.commands.frame import FAILED, OK, add
from autograder.grading.run import UsageError
from autograder.submissions.attempts import Haul
from autograder.terminal import plain

TEXT = """\
Puts the notebooks of a download from Canvas, Moodle or Gradescope where `grade` looks for them.
DOWNLOAD is the zip, or the folder that it was unpacked to; learners' own zips in it are opened too.
Of several attempts the last one counts; renamed copies, as `05_scorers (1).ipynb`, are recognised.
Nothing that is there already is overwritten by something else, unless --replace says so.

examples:
  python -m autograder collect submissions.zip --to submitted
  python -m autograder collect export.zip --from gradescope --to submitted --roster roster.csv

ROSTER is a CSV that says who is who: Canvas's gradebook export, Moodle's grading worksheet, or a table with the
column student_id (the name in the gradebook), any of id, email, name, and submitted_at for late penalties.

exit status:
  0  all is collected     1  a different submission was there and was kept, or nothing was collected of somebody
  2  wrong usage
"""


def add_to(subparsers: argparse._SubParsersAction) -> None:
    parser = add(subparsers, "collect", TEXT)
    parser.add_argument("downloads", type=Path, nargs="+", metavar="DOWNLOAD")
    choices = ("canvas", "moodle", "gradescope")
    parser.add_argument("--from", dest="lms", choices=choices, default="", help="default: told by the names")
    parser.add_argument("--to", type=Path, default=Path("submitted"), metavar="DIR", help="default: submitted")
    parser.add_argument("--roster", type=Path, metavar="CSV", help="who is who")
    parser.add_argument("--assignment", default="", metavar="NAME", help="every notebook is of this one")
    parser.add_argument("--replace", action="store_true", help="overwrite submissions that differ")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    parser.set_defaults(run=collect)


def collect(options: argparse.Namespace) -> int:
    from autograder.authoring.assignment import known
    from autograder.submissions import attempts
    from autograder.submissions.roster import Roster, RosterError

    names = known(options.root)
    if options.assignment and options.assignment not in names:
        raise UsageError(f"there is no assignment {options.assignment!r}; there is {', '.join(names)}.")
    try:
        roster = Roster.read(options.roster) if options.roster else None
        rules = attempts.Rules(names, roster, options.assignment, options.replace)
        haul = attempts.collect(options.downloads, options.to, options.lms, rules)
    except (attempts.DownloadError, RosterError) as error:
        raise UsageError(str(error)) from None
    print(json.dumps(dataclasses.asdict(haul), indent=1) if options.json else _table(haul, options.to))
    if not options.json:
        _tell(haul)
    kept = [one.student for one in haul.submissions if one.outcome == "kept"]
    if kept:
        there = f"another submission was there and was kept: {', '.join(kept)}"
        print(f"collect: {there}; --replace overwrites it.", file=sys.stderr)
    if haul.without:
        print(f"collect: nothing was collected of {', '.join(haul.without)}.", file=sys.stderr)
    return FAILED if kept or haul.without else OK


def _table(haul: Haul, to: Path) -> str:
    rows = [(one.student, one.assignment, one.outcome, one.time[:19], _line(one.source)) for one in haul.submissions]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(4)]
    lines = ["  ".join([*(c.ljust(w) for c, w in zip(row, widths, strict=False)), row[4]]).rstrip() for row in rows]
    total = f"{len(rows)} submissions from {haul.lms.title()} in {to}/<student>/<assignment>/."
    return "\n".join([*lines, "" if lines else "no submissions were found.", total if lines else ""]).rstrip()


def _tell(haul: Haul) -> None:
    for note in haul.notes:
        print(f"collect: {_line(note)}", file=sys.stderr)
    if haul.untimed:
        print(f"collect: {haul.untimed}: --roster with a column submitted_at gives them.", file=sys.stderr)
    for name, reason in haul.left_out:
        print(f"collect: left out {_line(name)}: {_line(reason)}.", file=sys.stderr)
    if haul.housekeeping:
        print(f"collect: left out {haul.housekeeping} files that macOS, Windows or Jupyter made.", file=sys.stderr)


def _line(text: str) -> str:
    return plain(text).replace("\n", "\N{REPLACEMENT CHARACTER}")
