"""``learn``: start an exercise, check it, see the progress, pack it for the LMS, examine this machine."""

import argparse
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from autograder.notebook_files.which_notebook import OPENED
from learn import doctor as doctors
from learn import record
from learn import submit as submitting
from learn.exercises import UnknownExercise, choice, copies, exercises, find, is_blank
from learn.page import page
from learn.results import Results, as_json, of_run
from learn.running import NotRun, run
from learn.start import EDITORS, NoEditor, chosen, copied, opened
from learn.troubles import recognised
from seq2seq.streams import print_anything, to_a_reader

OK, FAILED, USAGE = 0, 1, 2

DESCRIPTION = """\
The exercises of Learning to Align, on your own machine.

  learn start 05       copies exercise 05 into this folder and opens it
  learn check 05       runs it from top to bottom, and says what is done and what each check says
  learn check          the same of every exercise in this folder that you have begun
  learn progress       what is done in this folder, how many points, and what comes next
  learn submit 05      checks it and packs it into a zip for your course's website
  learn doctor         whether this machine has what the exercises need

An exercise is named by its number, its name or part of it: 5, 05, 05_scorers, scorers.
"""


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="learn", description=DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = top.add_subparsers(dest="command", required=True, metavar="start | check | progress | submit | doctor")
    command = commands.add_parser("start", help="copy an exercise into this folder and open it")
    command.add_argument("exercise", nargs="?", default="", help="without it, the exercises are listed")
    command.add_argument(
        "--in", dest="editor", choices=EDITORS, help="default: VS Code in its own terminal, else JupyterLab"
    )
    command.set_defaults(run=start)
    what = "an exercise in this folder, or the path of a notebook"
    command = commands.add_parser("check", help="run the notebook and say what is done")
    command.add_argument("exercise", nargs="?", help=what)
    command.add_argument("--results", type=Path, metavar="FILE", help="also write them to results.json, say")
    command.set_defaults(run=check)
    command = commands.add_parser("submit", help="check the notebook and pack it into a zip")
    command.add_argument("exercise", help=what)
    command.add_argument("--anyway", action="store_true", help="pack it although something is still to do")
    command.set_defaults(run=submit)
    command = commands.add_parser("progress", help="what is done in this folder, and what comes next")
    command.add_argument(
        "--page", type=Path, metavar="FILE", help="also write it as a page to read or print, such as progress.html"
    )
    command.set_defaults(run=progress)
    commands.add_parser("doctor", help="examine this machine").set_defaults(run=doctor)
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    print_anything()
    options = parser().parse_args(arguments)
    try:
        with to_a_reader():
            return options.run(options)
    except (UnknownExercise, NotRun, NoEditor) as error:
        print(f"learn: {error}", file=sys.stderr)
        trouble = recognised(str(error))
        if trouble:
            print(f"{trouble.why}\n{trouble.cure}", file=sys.stderr)
        return USAGE if isinstance(error, UnknownExercise) else FAILED
    except OSError as error:
        print(f"learn: {error.strerror or error}: {error.filename or ''}".rstrip(": "), file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        return 130


def start(options: argparse.Namespace) -> int:
    if not options.exercise:
        print(*(f"{exercise.name:20} {exercise.title}" for exercise in exercises()), sep="\n")
        return OK
    path, new = copied(find(options.exercise), Path.cwd())
    print(f"{'Copied to' if new else 'Your copy is still here:'} {path}")
    editor = options.editor or chosen()
    if editor == "none":
        print("Open it in JupyterLab, in Visual Studio Code, or upload it to Colab.")
        return OK
    return FAILED if opened(path, editor) else OK


def check(options: argparse.Namespace) -> int:
    paths = [notebook(options.exercise)] if options.exercise else begun(Path.cwd())
    if options.results:
        options.results.open("a").close()  # where nothing can be written, that is said before the notebooks run
    every: dict[Path, Results] = {}
    for path in paths:
        with submitting.opened(path) if path.suffix == OPENED else nullcontext(path) as inside:
            every[path] = checked(inside)
        if len(paths) > 1:
            print(f"\n{path.name}")
        print(every[path])
    if options.results:
        options.results.write_text(as_json(every), encoding="utf-8")
    return OK if all(results.done == len(results.tasks) for results in every.values()) else FAILED


def begun(folder: Path) -> list[Path]:
    """The learner's notebooks here and one folder below in which something is written, in the order of the course."""
    mine = {name: path for below in sorted(folder.glob("*/")) for name, path in copies(below).items()} | copies(folder)
    paths = [mine[exercise.name] for exercise in exercises() if exercise.name in mine]
    paths = [path for path in paths if not is_blank(path)]
    if not paths:
        print("No exercise is begun in this folder yet: `learn start 01` begins with the first.")
    return paths


def checked(path: Path) -> Results:
    """Runs the notebook and records the results. The first error outside of a check is told with what helps."""
    print(f"Running {path.name} from top to bottom …", file=sys.stderr)
    runs = run(path)
    for cell_run in runs:
        trouble = recognised(f"{cell_run.kind}: {cell_run.message}")
        helps = f"{trouble.why} {trouble.cure}" if trouble is not None and trouble.id != "not-written" else ""
        if cell_run.kind not in ("", "CheckFailed") and (cell_run.cause or helps):
            print(f"Cell {cell_run.cell + 1}: {cell_run.kind}: {cell_run.message}\n    {cell_run.cause or helps}")
            break
    results = of_run(path, runs)
    try:
        record.write(path, results)
    except OSError as error:
        print(f"These results are not kept for `learn progress`: {error.strerror}: {error.filename}", file=sys.stderr)
    return results


def notebook(asked: str) -> Path:
    """The learner's notebook: a path, or an exercise's copy in this folder."""
    path = Path(asked)
    if path.suffix == ".ipynb" or path.is_file():
        return path
    exercise = find(asked)
    for folder in (Path.cwd() / exercise.name, Path.cwd()):
        meant = choice(folder, exercise)
        if meant.name:
            for note in meant.notes:
                print(note, file=sys.stderr)
            return folder / meant.name
    if exercise.name in copies(Path.cwd()):
        raise NotRun(f"{meant.problem} Name the file: `learn check FILE`.")
    raise NotRun(f"{exercise.name}.ipynb is not in this folder: `learn start {asked}` puts it there.")


def typed(argument: str | Path) -> str:
    """As one argument of a command that is to be copied; Windows knows double quotes alone."""
    return subprocess.list2cmdline([str(argument)]) if os.name == "nt" else shlex.quote(str(argument))


def progress(options: argparse.Namespace) -> int:
    mine = copies(Path.cwd())
    rows: list[tuple[str, Results | None]] = []
    for exercise in exercises():
        results = None
        try:
            results = record.results_of(mine[exercise.name]) if exercise.name in mine else None
        except NotRun as error:
            print(f"{exercise.title}: {error}")
        rows.append((exercise.title, results))
    begun = [(title, results) for title, results in rows if results]
    for title, results in begun:
        print(f"{title}: {results.summary}. {results.next}")
    if not begun:
        print("No exercise is in this folder yet: `learn start 01` begins with the first.")
    elif following := next((title for title, results in rows if results is None), ""):
        print(f"Not begun yet: {following}" + (" and later ones." if len(begun) < len(rows) - 1 else "."))
    if options.page:
        options.page.write_text(page(rows), encoding="utf-8")
        print(f"Page: {options.page}")
    return OK


def submit(options: argparse.Namespace) -> int:
    path = notebook(options.exercise)
    if path.suffix == OPENED:
        raise NotRun(f"{path} is packed already: upload it; `learn check {typed(path)}` checks what is in it.")
    results = checked(path)
    print(results)
    still = submitting.forgotten(results)
    if still:
        print("\nStill to do:", *(f"  {line}" for line in still), sep="\n")
        if not options.anyway:
            print(f"\nNothing was packed. To hand it in as it is: learn submit {typed(options.exercise)} --anyway")
            return FAILED
    target, notes = submitting.packed(path)
    for note in notes:
        print(note)
    print(f"\nUpload this file: {target.resolve()} ({target.stat().st_size / 1000:.0f} kB)")
    return OK


def doctor(_: argparse.Namespace) -> int:
    bad = 0
    for finding in doctors.findings(Path.cwd()):
        print(finding, flush=True)
        bad += finding.status == "bad"
    print("Everything that the exercises need is here." if not bad else f"{bad} to mend.")
    return FAILED if bad else OK


if __name__ == "__main__":
    sys.exit(main())
