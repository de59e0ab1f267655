"""Output folders of an earlier version, in which each verdict, mark and copy was a file: taken over into the state."""

import re
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from autograder.judging.circumstances import Circumstances
from autograder.judging.lock import Lock
from autograder.judging.soundness import is_sound
from autograder.judging.staged import Staged
from autograder.judging.state import EARLIER
from autograder.judging.store import Store
from autograder.judging.verdict import Verdict
from autograder.submissions.collected import collected

MARKED = 5  # lines of a mark that still count: after them came pages that are now made when they are asked for


def settle(output: Path) -> None:
    """:func:`take_over`, for who does not hold the lock.

    Raises:
        StoreError: a grading run holds it.
    """
    if _is_there(output):
        with Lock(output), Store(output) as store:
            take_over(store)


def take_over(store: Store) -> None:
    """Reads the files into the state, then removes those that were read; what is damaged stays where it is.

    Whatever moment it is killed at, the next call ends it. Only for who holds the lock on the output folder.
    """
    output, read = store.output, []
    if not _is_there(output):
        return
    with store.state.change():  # makes the file, without which earlier folders are refused
        pass
    seed = _text(output / "seed").strip()
    if re.fullmatch(r"-?\d{1,30}", seed):
        if store.state.rows("SELECT value FROM about WHERE name = 'seed'") == []:
            store.keep_seed(int(seed))
        read.append(output / "seed")
    there = set(store.all_keys())
    for path in sorted((output / "verdicts").glob("[!.]*.json")):
        beside = [output / folder / path.name for folder in ("shown", "circumstances")]
        with suppress(ValueError, TypeError, KeyError, AttributeError, RecursionError):
            verdict = Verdict.from_record(_text(path), _text(beside[0]))
            if is_sound(verdict):
                if path.stem not in there:
                    store.put(path.stem, verdict, Circumstances.from_json(_text(beside[1])))
                read += [path, *beside]
    read += _copies(store)
    for path in read:
        path.unlink(missing_ok=True)
    for name in EARLIER:
        _remove_empty(output / name)


def _copies(store: Store) -> list[Path]:
    staged, folder, read = Staged(store.state), store.output / "staged", []
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
