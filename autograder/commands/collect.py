"""``collect``: a download from an LMS → nbgrader's folders."""

import argparse
import json
import shlex
import zipfile
from dataclasses import asdict
from pathlib import Path

from autograder.collect.lms_import import ImportResult
from autograder.commands.cli import FAILED, OK, columns, warn
from autograder.commands.options import add_dates, clock
from autograder.errors import UsageError, several
from autograder.folders import ROSTER

TEXT = """\
Puts the notebooks of a download from Canvas, Moodle or Gradescope where `grade` looks for them.
DOWNLOAD is the zip, or the folder that it was unpacked to; learners' zips in it are opened too.
Folders called as the roster knows learners, such as of what came by mail, are collected as well.
Of several copies, the one with the most answers counts, or the last of equals: by the times in a
learner's zip, else by "(1)" after the name. A notebook is known by its cells.
Modules and small data files that were handed in with it are put beside it.
Existing submissions that differ are overwritten only with --replace, and so are their times.

examples:
  python -m autograder collect submissions.zip --to submitted
  python -m autograder collect export.zip --from gradescope --to submitted --roster roster.csv
  python -m autograder collect submissions.zip --groups       one counts for everybody in its group

ROSTER is a CSV that identifies learners: Canvas's gradebook export, Moodle's grading worksheet, or a table with the
column student_id (the name in the gradebook), any of id, email, name, group, and submitted_at for late penalties.
In a class its people are looked up in roster.csv, by address, id, login, number or unique name, and have the id there.
A time without a zone is in the course's, c.Course.time_zone in nbgrader_config.py, or that of "Time (UTC)", a title.

exit status:
  0  all collected     1  a different existing submission or time was kept, or nothing collected at all or for somebody,
                          or it is unknown whose a notebook is
  2  wrong usage
"""


def add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("downloads", type=Path, nargs="+", metavar="DOWNLOAD")
    choices = ("canvas", "moodle", "gradescope")
    parser.add_argument("--from", dest="lms", choices=choices, default="", help="default: recognised by file names")
    parser.add_argument("--to", type=Path, default=Path("submitted"), metavar="DIR", help="default: submitted")
    parser.add_argument("--roster", type=Path, metavar="CSV", help="identifies learners; default: a class's own")
    add_dates(parser)
    parser.add_argument("--assignment", default="", metavar="NAME", help="all notebooks belong to this one")
    parser.add_argument("--groups", action="store_true", help="one submission counts for all in a group of the roster")
    parser.add_argument("--replace", action="store_true", help="overwrite submissions and times that differ")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")


def run(options: argparse.Namespace) -> int:
    from autograder.assignments.grade_ids import known
    from autograder.collect.lms_import import Rules, collect
    from autograder.submissions.class_roster import class_roster
    from autograder.submissions.identity import ids_of_class
    from autograder.submissions.roster import Roster
    from autograder.submissions.roster_table import GROUP

    exercises = known(options.root, options.assignment or None)
    if options.roster and holds_files(options.roster) and not any(map(holds_files, options.downloads)):
        turned = shlex.join(["collect", str(options.roster), "--roster", str(options.downloads[0])])
        raise UsageError(f"the download stands in the roster's place: turn them round, {turned}.")
    of_class = class_roster(options.root)
    file = options.roster or of_class
    times = clock(options)
    ids, strangers = ids_of_class(file, of_class) if file and of_class and file != of_class else ({}, [])
    roster = Roster.read(file, times, ids) if file else None
    if roster and of_class and file != of_class:
        roster.of_class = Roster.read(of_class, times)
    if strangers:
        count = f"{len(strangers)} of {len(strangers) + len(ids)} in {file} cannot be found in the class's {ROSTER}"
        warn(options, f"{count}; their folders have the LMS's ids: {several(strangers)}.")
    if options.groups and not (roster and roster.groups):
        where = f"{file} puts nobody into a group" if file else "there is no roster that says who is in which"
        raise UsageError(f"--groups: {where}; expected a --roster with a column called {' or '.join(GROUP)}.")
    if roster and roster.groups and not options.groups:
        roster.groups.clear()
        warn(options, f"{file} has groups, but this is individual work: with --groups it would be their members'.")
    rules = Rules(exercises, roster, options.assignment, options.replace, times)
    result = collect(options.downloads, options.to, options.lms, rules)
    if options.json:
        print(json.dumps(asdict(result), indent=1))
    else:
        _print(result, options)
    for note in times.messages:
        warn(options, f"{note}.")
    retained = [submission.student for submission in result.submissions if submission.outcome == "kept"]
    if retained:
        learners = ", ".join(retained)
        warn(options, f"a different existing submission was kept: {learners}; --replace overwrites it.")
    undated = [f"{work.student} {work.kept_back[:19]} UTC" for work in result.submissions if work.kept_back]
    if undated:
        other = ", ".join(undated)
        warn(options, f"the time that was there counts, and another is kept back: {other}; --replace enters it.")
    if result.without:
        warn(options, f"nothing was collected for {', '.join(result.without)}.")
    lacking = retained or undated or result.without or result.ownerless
    return OK if result.submissions and not lacking else FAILED


def holds_files(path: Path) -> bool:
    return path.is_dir() or zipfile.is_zipfile(path)


def _print(result: ImportResult, options: argparse.Namespace) -> None:
    rows = [
        (work.student, work.assignment, work.outcome, work.time and f"{work.time[:19]} UTC", _line(work.source))
        for work in result.submissions
    ]
    print("\n".join(columns(rows, "<<<<", header=False)) or "no submissions were found.")
    if rows:
        system = result.lms.title() or "the folders of learners"
        print(f"\n{len(rows)} submissions from {system} in {options.to}/<student>/<assignment>/.")
    for note in result.notes:
        warn(options, _line(note))
    if result.untimed:
        warn(options, f"{result.untimed}: --roster with a column submitted_at gives them.")
    for name, reason in result.left_out:
        warn(options, f"left out {_line(name)}: {_line(reason)}.")
    if result.unidentified:
        warn(options, "if these are notebooks of one exercise, --assignment NAME says which.")
    if result.housekeeping:
        files = f"{result.housekeeping} file{'s' if result.housekeeping > 1 else ''}"
        warn(
            options,
            f"left out what macOS, Windows or Jupyter made, or what lies in hidden folders: {files}.",
        )


def _line(text: str) -> str:
    """A name or a reason on one line; other control characters do not get to the terminal either."""
    return text.replace("\n", "\N{REPLACEMENT CHARACTER}")
