"""Learners' code in the layout that JPlag and Dolos read, with the released stubs as base code."""

import re
import shlex
import shutil
import zipfile
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook

from autograder.assignments.assignment import Assignment, is_solution, nbgrader_settings, released
from autograder.errors import UsageError
from autograder.exports.grades import require_known
from autograder.exports.spreadsheet import written
from autograder.store.disk import write_durably
from autograder.submissions.cells import trimmed

OURS = ("submissions", "base", "submissions.zip")
FEWEST = 2  # submissions needed for a comparison
MAGIC = re.compile(r"^([^\S\n]*)([%!?].*)$", re.M)


def submitters(gradebook: Gradebook, assignment: str) -> dict[str, tuple[str, datetime | None]]:
    """Student → full name and submission time; raises UsageError if there is no such assignment."""
    require_known([assignment], [known.name for known in gradebook.assignments], "assignment")
    details = {}
    for submission in gradebook.find_assignment(assignment).submissions:
        student = submission.student
        name = " ".join(filter(None, (student.first_name, student.last_name)))
        details[student.id] = (name or student.id, submission.timestamp)
    return details


def for_jplag(assignment: Assignment, autograded: Path, folder: Path) -> str:
    """Writes ``submissions/<student>/<assignment>.py`` and ``base/<assignment>.py``; returns the command to run.

    JPlag takes a folder whose entries are one submission each, ``-bc`` with the folder of the base code, and
    ``-l python3``: https://github.com/jplag/JPlag/wiki/1.-How-to-Use-JPlag.

    Raises:
        UsageError: there are too few submissions, or the folder is in use by something else.
    """
    for student, code in _with_code(assignment, autograded, folder).items():
        write_durably(folder / "submissions" / student / f"{assignment.name}.py", code)
    base, submissions, result = (shlex.quote(str(folder / name)) for name in ("base", "submissions", "result"))
    return f"java -jar jplag.jar -l python3 -bc {base} -r {result} {submissions}"


def for_dolos(
    assignment: Assignment, autograded: Path, folder: Path, details: Mapping[str, tuple[str, datetime | None]]
) -> str:
    """Writes ``<student>.py``, ``info.csv``, the base code and a zip for Dolos' web page; returns the command to run.

    ``info.csv`` has the columns ``filename``, ``full_name`` and ``created_at``, and is at the root of the zip:
    https://dolos.ugent.be/docs/adding-metadata.html; ``-i`` takes the code to be ignored:
    https://dolos.ugent.be/docs/running.html.

    Raises:
        UsageError: there are too few submissions, or the folder is in use by something else.
    """
    codes = _with_code(assignment, autograded, folder)
    about = {student: details.get(student, (student, None)) for student in codes}
    rows = [["filename", "full_name"], *([f"{student}.py", name] for student, (name, _) in about.items())]
    if all(sent for _, sent in about.values()):  # Dolos treats an empty time as invalid
        times = [f"{sent:%Y-%m-%d %H:%M:%S} +0000" for _, sent in about.values()]
        rows = [[*row, time] for row, time in zip(rows, ["created_at", *times], strict=True)]
    files = {"info.csv": written(rows)} | {f"{student}.py": code for student, code in codes.items()}
    for name, text in files.items():
        write_durably(folder / "submissions" / name, text)
    with zipfile.ZipFile(folder / "submissions.zip", "w") as archive:
        for name, text in files.items():
            entry = zipfile.ZipInfo(name)
            entry.external_attr = 0o644 << 16  # otherwise unzip creates unreadable files
            archive.writestr(entry, text, zipfile.ZIP_DEFLATED)
    base = folder / "base" / f"{assignment.name}.py"
    table = folder / "submissions" / "info.csv"
    return f"dolos run -f web -l python -i {shlex.quote(f'{base}')} {shlex.quote(f'{table}')}"


def _with_code(assignment: Assignment, autograded: Path, folder: Path) -> dict[str, str]:
    """Student → code, of the graded submissions that contain any; ``folder`` is cleared and gets the base code."""
    paths = sorted(autograded.glob(f"*/{assignment.name}/{assignment.name}.ipynb"))
    if not paths:
        raise UsageError(f"{autograded} has no graded {assignment.name}; grade it first.")
    codes = {path.parent.parent.name: learners_code(nbformat.read(path, as_version=4), assignment) for path in paths}
    codes = {student: code for student, code in codes.items() if code}
    if len(codes) < FEWEST:
        raise UsageError(f"{assignment.name}: {len(codes)} submissions with code; at least {FEWEST} are needed.")
    _clear(folder)
    write_durably(folder / "base" / f"{assignment.name}.py", base_code(assignment))
    return codes


def learners_code(notebook: NotebookNode, assignment: Assignment) -> str:
    """The answers and the cells that the learner added: copied code must not escape in an extra cell.

    Unchanged released cells are left out; IPython magics become comments, so that the text is Python.
    """
    given = {trimmed(released(cell)) for cell in assignment.notebook.cells}
    texts = [
        cell.source
        for cell in notebook.cells
        if cell.cell_type == "code"
        and cell.source.strip()
        and (is_solution(cell) or not nbgrader_settings(cell))
        and trimmed(cell.source) not in given
    ]
    return _python(texts)


def base_code(assignment: Assignment) -> str:
    """The answers' stubs as released: what every submission has in common."""
    return _python([released(cell) for cell in assignment.cells.values() if is_solution(cell)])


def _python(texts: list[str]) -> str:
    return "".join(MAGIC.sub(r"\1# \2", text).rstrip() + "\n\n\n" for text in texts)


def _clear(folder: Path) -> None:
    """Deletes an earlier export, but not its results; refuses a folder that holds anything else."""
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is a file, expected a folder.")
    entries = list(folder.iterdir()) if folder.is_dir() else []
    others = sorted(entry.name for entry in entries if entry.name not in OURS and not entry.name.startswith("result"))
    if others:
        raise UsageError(f"{folder} holds {others[0]!r}; choose an empty folder with --file.")
    for name in OURS[:2]:
        shutil.rmtree(folder / name, ignore_errors=True)
