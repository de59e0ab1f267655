"""Which of one learner's files in a download are the submission to each assignment: the notebook and what is beside it.

The same rules as for a folder laid out by hand (:mod:`autograder.handed`), and the LMS's own order of attempts.
"""

import datetime
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from autograder.handed.bundle import beside
from autograder.handed.content import Content, Exercises, look
from autograder.handed.which_notebook import assignment_of, chosen, is_notebook, why_not
from autograder.submissions.downloads import Attempt

EARLIEST = datetime.datetime.min.replace(tzinfo=datetime.UTC)
NUMBERED = re.compile(r"-\d{1,3}(?=\.\w+$)")  # by Canvas, when a file of this name was handed in before


@dataclass
class Work:
    """One learner's work for one assignment. ``files``: path beside the notebook → the file."""

    assignment: str
    notebook: Attempt
    files: dict[str, Attempt]
    earlier: list[Attempt]


@dataclass
class SortedOut:
    """What is to be collected of one learner, and what is not: file → why."""

    works: list[Work] = field(default_factory=list)
    left_out: list[tuple[Attempt, str]] = field(default_factory=list)
    unidentified: list[Attempt] = field(default_factory=list)


def sorted_out(attempts: Sequence[Attempt], exercises: Exercises, assignment: str = "") -> SortedOut:
    """One learner's files; with ``assignment`` every notebook is for this one."""
    result, groups, rest = SortedOut(), defaultdict(list), []
    for attempt in attempts:
        content = _content(attempt)
        if not is_notebook(attempt.filename, content, exercises):
            rest.append(attempt)
        elif name := assignment or assignment_of(attempt.filename, content, exercises):
            groups[name].append(attempt)
        else:
            result.unidentified.append(attempt)
    for name, notebooks in sorted(groups.items()):
        _sort(name, notebooks, rest, exercises, result)
    used = {id(one) for work in result.works for one in work.files.values()}
    result.left_out += [(one, "it is not a notebook") for one in rest if id(one) not in used]
    return result


def _sort(name: str, notebooks: list[Attempt], rest: list[Attempt], exercises: Exercises, result: SortedOut) -> None:
    last = max(notebooks, key=lambda one: (not why_not(_content(one)), one.time or EARLIEST, _unit_order(one)))
    unit = {one.path: one for one in sorted(notebooks, key=lambda one: one.order) if one.unit == last.unit}
    choice = chosen(list(unit), name, lambda path: _content(unit[path]), exercises, lambda path: unit[path].order)
    if choice.problem:
        result.left_out += [(one, choice.problem.rstrip(".")) for one in notebooks]
        return
    notebook = unit[choice.name]
    others = [one for one in notebooks if one is not notebook]
    result.left_out += [(one, why_not(_content(one)) or "an earlier attempt") for one in others]
    result.works.append(Work(name, notebook, dict(_beside(notebook, rest)), others))


def _unit_order(attempt: Attempt) -> int:
    return attempt.order if attempt.unit else 0


def _beside(notebook: Attempt, rest: Sequence[Attempt]) -> Iterator[tuple[str, Attempt]]:
    """The files that accompany the notebook; one that Canvas has numbered also by its plain name."""
    near = {one.path: one for one in sorted(rest, key=lambda one: one.order) if one.unit == notebook.unit}
    names, _ = beside({path: one.file.path.stat().st_size for path, one in near.items()}, notebook.path)
    folder = Path(notebook.path).parent
    files = {Path(name).relative_to(folder).as_posix(): near[name] for name in names}
    for name, attempt in files.items():
        if attempt.is_renamed and NUMBERED.search(name):
            yield NUMBERED.sub("", name), attempt
    yield from files.items()


def _content(attempt: Attempt) -> Content:
    return _look(attempt.file.path)


@lru_cache(maxsize=4096)
def _look(path: Path) -> Content:
    return look(path.read_bytes())
