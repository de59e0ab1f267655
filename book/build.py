"""Build the book: ``python -m book.build``.

Vendors the assets, builds with warnings as errors, and prints where the book is.
The exit code is 0 only if there was no warning and every cell ran.
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from autograder.assignments.wheel import WheelError, build_wheel, wheel_name
from autograder.settings import RELEASE
from book.assets import AssetError, vendor
from book.card import CARD, draw
from book.fingerprint import fingerprint
from seq2seq.streams import print_anything

ROOT = Path(__file__).resolve().parents[1]
HTML = ROOT / "_build" / "html"
NOISE = "Kernel is running over TCP without encryption"  # every kernel warns; these listen only on this machine
ENVIRONMENT = ROOT / "_build" / ".doctrees" / "environment.pickle"
BUILT_BY = ROOT / "_build" / ".made_by"
PUBLISHED_OF = ROOT / "_build" / ".published_of"
PACKAGED = (
    *("seq2seq/**/*", "learn/**/*", "autograder/**/*", "exercises/**/*.ipynb"),
    *("pyproject.toml", "_config.yml", "LICENSE"),
)
BUILDERS = ("book/_ext/**/*", "book/_static/**/*")  # Sphinx does not notice changes to these


def build(fresh: bool = False, verbose: bool = False, answers: bool = True) -> int:
    """Build the book into _build/html and return the exit code of Jupyter Book.

    Sphinx reads only changed pages, and so would not repeat the warnings of the others: after a failure its
    environment is deleted, and the next build reads every page again.
    """
    jupyter_book = Path(sys.executable).with_name("jupyter-book")
    command = [str(jupyter_book), "build", ".", "-W", "-n", "--keep-going"]
    command += ["--all"] if fresh else []
    command += [] if verbose else ["--quiet"]
    code = run(command, {} if answers else {"COURSE_WITHOUT_ANSWERS": "1"})
    if code:
        ENVIRONMENT.unlink(missing_ok=True)
    return code


def publish_exercises() -> None:
    """Puts the exercises, and the package that their first cell installs, where that cell asks for it.

    Those that are there stay if they were made of the same files.
    """
    place, wheel = HTML / "exercises", HTML / wheel_name(ROOT)
    made_of = fingerprint(ROOT, PACKAGED)
    known = PUBLISHED_OF.read_text() if PUBLISHED_OF.exists() else ""
    if made_of == known and place.is_dir() and wheel.is_file():
        return
    wheel = build_wheel(ROOT, HTML)
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    for path in sorted((ROOT / RELEASE).glob("*/*.ipynb")):
        shutil.copyfile(path, place / path.name)
    PUBLISHED_OF.write_text(made_of)
    print(f"book: {wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB")


def run(command: Sequence[str], settings: Mapping[str, str]) -> int:
    """Runs a builder from the top of the project, passes on its warnings, and returns its exit code."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYDEVD_DISABLE_FILE_VALIDATION": "1", **settings}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True) as process:
        for line in process.stderr or ():
            if NOISE not in line:
                sys.stderr.write(line)
    return process.returncode


def main(arguments: Sequence[str] | None = None) -> int:
    print_anything()
    parser = argparse.ArgumentParser(prog="python -m book.build", description="Build the book with warnings as errors.")
    parser.add_argument("--fresh", action="store_true", help="rebuild every page, even if unchanged")
    parser.add_argument("--verbose", action="store_true", help="show Sphinx's messages for each page")
    parser.add_argument(
        "--without-answers", action="store_true", help="leave out the library's answers to graded tasks"
    )
    options = parser.parse_args(arguments)
    start = time.perf_counter()
    try:
        if vendor() or not CARD.exists():
            draw()
    except AssetError as error:
        print(f"book: {error}", file=sys.stderr)
        return 1
    built_by = fingerprint(ROOT, BUILDERS) + " without answers" * options.without_answers
    same = BUILT_BY.exists() and BUILT_BY.read_text() == built_by
    code = build(options.fresh or not same, options.verbose, not options.without_answers)
    seconds = time.perf_counter() - start
    if code:
        print(f"book: not built (after {seconds:.0f} s); the warnings above are errors.", file=sys.stderr)
        return code
    BUILT_BY.write_text(built_by)
    try:
        publish_exercises()
    except WheelError as error:
        print(f"book: the learners' package was not built: {error}", file=sys.stderr)
        return 1
    print(f"book: {HTML / 'index.html'} ({seconds:.0f} s)")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
