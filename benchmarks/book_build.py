"""How long the book takes to build: from nothing, with nothing changed, and after one chapter's cells have changed.

    python -m benchmarks.book_build               # about five minutes on two cores

Builds a copy of the book in a scratch folder with the command that readers use.
"From nothing" means without pages and executed cells; the pages' assets are already downloaded (``npm ci``).
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.report import machine_name, markdown, write

COMMAND = "python -m benchmarks.book_build"
ROOT = Path(__file__).resolve().parents[1]
FETCHED = ("npm", "static", "fonts")
CHANGED = "book/05_scorers.md"
CELL = re.compile(r"(```\{code-cell\} python3\n)(?![:-])")  # one without options
RESULTS = ROOT / "benchmarks" / "results" / "book_build.json"
TARGETS = {"from nothing": 180, "nothing changed": 10, "one chapter changed": 60}
"""Seconds that each build may take on two cores."""


def copy(folder: Path) -> None:
    """Copies the files that git does not ignore, and the downloaded assets."""
    names = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in names.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    for name in FETCHED:
        shutil.copytree(ROOT / "build" / name, folder / "build" / name, symlinks=True)


def build(folder: Path) -> float:
    """The seconds that one build takes; raises if it fails."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "book.build"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    return time.perf_counter() - start


def change(folder: Path) -> None:
    """Adds a comment to a cell of one chapter, so that all its cells must run again."""
    path = folder / CHANGED
    text, changes = CELL.subn(r"\1# changed\n", path.read_text(encoding="utf-8"), count=1)
    if not changes:
        raise ValueError(f"{CHANGED} has no cell without options to change; name another chapter in CHANGED.")
    path.write_text(text, encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog=COMMAND, description="Time the builds of the book.")
    parser.add_argument(
        "--json", type=Path, default=RESULTS, help="write the report to this file (default: %(default)s)"
    )
    options = parser.parse_args(arguments)
    seconds: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy(folder)
        seconds["from nothing"] = build(folder)
        seconds["nothing changed"] = build(folder)
        change(folder)
        seconds["one chapter changed"] = build(folder)
    rows = [{"build": what, "s": round(took, 1), "at most, s": TARGETS[what]} for what, took in seconds.items()]
    print(markdown(rows))
    write(options.json, {"command": COMMAND, "machine": machine_name(), "cores": os.cpu_count(), "builds": rows})
    return int(any(took > TARGETS[what] for what, took in seconds.items()))


if __name__ == "__main__":
    raise SystemExit(main())
