"""Imports output folders of an earlier version, in which each verdict, mark and copy was a file, into the state."""

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from autograder.judging.graded_copies import GradedCopies
from autograder.judging.lock import Lock
from autograder.judging.provenance import Provenance
from autograder.judging.state import EARLIER
from autograder.judging.store import Store
from autograder.judging.verdict_validation import is_sound
from autograder.records.verdict import Verdict
from autograder.submissions.submitted_files import collected

MARKED = 5  # lines of a mark that still count; the rest are about pages that are now made on demand


def settle(output: Path) -> None:
    """:func:`take_over`, for callers that do not hold the lock.

    Raises:
        StoreError: a grading run holds the lock.
    """
    if _is_there(output):
        with Lock(output), Store(output) as store:
            take_over(store)


def take_over(store: Store) -> None:
    """Reads the files into the state, then removes those that were read; damaged files stay where they are.

    If killed at any point, the next call completes it. The caller must hold the lock on the output folder.
    """
    output, read = store.output, []
    if not _is_there(output):
        return
    with store.state.change():  # creates the state file: without it, earlier folders are refused
        pass
    seed = _text(output / "seed").strip()
    if re.fullmatch(r"-?\d{1,30}", seed):
        if store.state.rows("SELECT value FROM about WHERE name = 'seed'") == []:
            store.keep_seed(int(seed))
        read.append(output / "seed")
    there = set(store.all_keys())
    for path in sorted((output / "verdicts").glob("[!.]*.json")):
        companions = [output / folder / path.name for folder in ("shown", "circumstances")]
        with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
            verdict = Verdict.from_record(_text(path), _text(companions[0]))
            if is_sound(verdict):
                if path.stem not in there:
                    store.put(path.stem, verdict, Provenance.from_json(_text(companions[1])))
                read += [path, *companions]
    read += _copies(store)
    for path in read:
        path.unlink(missing_ok=True)
    for name in EARLIER:
        _remove_empty(output / name)


def _copies(store: Store) -> list[Path]:
    staged, folder, read = GradedCopies(store.state), store.output / "staged", []
    there = {(copy.assignment, copy.student) for copy, _ in staged.copies()}
    for handed in collected(folder) if folder.is_dir() else []:
        if handed.path is None and not handed.problem:
            continue
        mark = store.output / "written" / handed.assignment / f"{handed.student}.txt"
        lines = _text(mark).split("\n")
        if (handed.assignment, handed.student) not in there:
            then = store.circumstances(lines[0])
            as_then = replace(handed, notes=then.notes, problem=then.problem or handed.problem)
            staged.stage(as_then, handed.data())
            staged.mark(handed.assignment, handed.student, "\n".join(lines[:MARKED]))
        place = folder / handed.student / handed.assignment
        read += [mark, place / "timestamp.txt", place / f"{handed.assignment}.ipynb"]
    return read


def _is_there(output: Path) -> bool:
    return any((output / name).is_dir() for name in EARLIER)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError):
        return ""


def _remove_empty(folder: Path) -> None:
    for path in sorted(folder.rglob("*"), reverse=True) if folder.is_dir() else []:
        if path.is_dir() and not path.is_symlink() and not any(path.iterdir()):
            path.rmdir()
    if folder.is_dir() and not any(folder.iterdir()):
        folder.rmdir()
