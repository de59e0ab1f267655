"""Which of one learner's files in a download are the submission to each assignment: the notebook and what is beside it.

The same rules as for a folder laid out by hand (:mod:`autograder.notebook_files`), and the LMS's own order of attempts.
"""

import datetime
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from autograder.collect.downloads import Attempt
from autograder.notebook_files.bundle import beside
from autograder.notebook_files.content import Exercises
from autograder.notebook_files.which_notebook import (
    assignment_of,
    chosen,
    compared,
    is_notebook,
    is_script,
    newest,
    why_not,
)

EARLIEST = datetime.datetime.min.replace(tzinfo=datetime.UTC)
NUMBERED = re.compile(r"-\d{1,3}(?=\.\w+$)")  # by Canvas, when a file of this name was handed in before
AGAIN = "the same file again"
MANY = 20  # files of one learner, left out and listed


@dataclass
class Selection:
    """One learner's work for one assignment. ``files``: path beside the notebook → the file."""

    assignment: str
    notebook: Attempt
    files: dict[str, Attempt]
    earlier: list[Attempt]


@dataclass
class SortedOut:
    """What is to be collected of one learner, and what is not: file → why."""

    works: list[Selection] = field(default_factory=list)
    left_out: list[tuple[Attempt, str]] = field(default_factory=list)
    unidentified: list[Attempt] = field(default_factory=list)


def sorted_out(attempts: Sequence[Attempt], exercises: Exercises, assignment: str = "") -> SortedOut:
    """One learner's files; with ``assignment`` every notebook is for this."""
    result, groups, rest = SortedOut(), defaultdict(list), []
    for attempt in attempts:
        content = attempt.file.content
        if not is_notebook(attempt.filename, content, exercises):
            rest.append(attempt)
        elif name := assignment or assignment_of(attempt.filename, content, exercises):
            groups[name].append(attempt)
        else:
            result.unidentified.append(attempt)
    if not (groups or result.unidentified):
        scripts = [attempt for attempt in rest if is_script(attempt.filename, attempt.file.content)]
        rest = [attempt for attempt in rest if attempt not in scripts]
        if assignment and scripts:
            groups[assignment] = scripts
        else:
            result.unidentified += scripts
    for name, notebooks in sorted(groups.items()):
        _sort(name, notebooks, rest, exercises, result)
    used = {id(attempt) for work in result.works for attempt in work.files.values()}
    result.left_out += [(attempt, "it is not a notebook") for attempt in rest if id(attempt) not in used]
    return result


def _sort(name: str, notebooks: list[Attempt], rest: list[Attempt], exercises: Exercises, result: SortedOut) -> None:
    near = _at_once(notebooks, max(notebooks, key=_rank).unit)
    are_dated = all(attempt.file.time for attempt in near.values())
    times = {path: (attempt.order, *(attempt.file.time if are_dated else ())) for path, attempt in near.items()}
    choice = chosen(list(near), name, lambda path: near[path].file.content, exercises, newest(times))
    if choice.problem:
        result.left_out += [(attempt, choice.problem.rstrip(".")) for attempt in notebooks]
        return
    notebook = near[choice.name]
    others = [attempt for attempt in notebooks if attempt is not notebook]
    result.left_out += [(attempt, _why(attempt, notebook)) for attempt in others]
    result.works.append(Selection(name, notebook, dict(_beside(notebook, rest)), others))


def _why(attempt: Attempt, best: Attempt) -> str:
    """Why an attempt gives way to the one that counts."""
    content, is_earlier = attempt.file.content, attempt.unit != best.unit or attempt.order < best.order
    return why_not(content) or ("an earlier attempt" if is_earlier else compared(content, best.file.content) or AGAIN)


def _rank(attempt: Attempt) -> tuple[bool, datetime.datetime, int]:
    """The last attempt that has an answer ranks highest."""
    return not why_not(attempt.file.content), attempt.time or EARLIEST, attempt.order if attempt.unit else 0


def _at_once(attempts: Sequence[Attempt], unit: str) -> dict[str, Attempt]:
    """Path → what was handed in under it in this unit; of several, the last."""
    in_order = sorted(attempts, key=lambda attempt: attempt.order)
    return {attempt.path: attempt for attempt in in_order if attempt.unit == unit}


def _beside(notebook: Attempt, rest: Sequence[Attempt]) -> Iterator[tuple[str, Attempt]]:
    """The files that accompany the notebook; what Canvas has numbered is there also by its plain name."""
    near = _at_once(rest, notebook.unit)
    names, _ = beside({path: attempt.file.path.stat().st_size for path, attempt in near.items()}, notebook.path)
    folder = Path(notebook.path).parent
    files = {Path(name).relative_to(folder).as_posix(): near[name] for name in names}
    for name, attempt in files.items():
        if attempt.is_renamed and NUMBERED.search(name):
            yield NUMBERED.sub("", name), attempt
    yield from files.items()


def shortened(left_out: Iterable[tuple[str, str]], whose: Callable[[Sequence[str]], str]) -> list[tuple[str, str]]:
    """What was left out, and why; of many files of one learner only the first, so that they hide nobody else's.

    A reason that has not been listed yet goes first.
    """
    files: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, reason in dict.fromkeys(left_out):  # a group's work is sorted for each of its members
        files[whose(name.split("/"))].append((name, reason))
    listed: list[tuple[str, str]] = []
    for owner, lost in files.items():
        first = {reason: name for name, reason in reversed(lost)}
        lost.sort(key=lambda file: first[file[1]] != file[0])
        if owner and len(lost) > MANY + 1:
            lost[MANY:] = [(f"{len(lost) - MANY} more files of {owner}", "so many are not listed one by one")]
        listed += lost
    return listed
