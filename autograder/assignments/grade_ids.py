"""The grade ids of every assignment, by which a notebook is known whatever it is called."""

import re
from pathlib import Path

from autograder.assignments.cutting import grade_id
from autograder.assignments.script import scripts
from autograder.errors import UsageError
from autograder.notebook_files.content import GRADE_ID
from autograder.settings import SAMPLES, SCRIPTS, SOURCE

MARK = re.compile(r'^# %%.*?\b(?:given|answer|check|question)="([^" ]+)', re.MULTILINE)


def grade_ids(root: Path) -> dict[str, frozenset[str]]:
    """Name → the grade ids of its cells, for the course's scripts and other nbgrader source notebooks."""
    paths = [path for path in (root / SOURCE).glob("*/*.ipynb") if path.stem == path.parent.name]
    by_name = {path.stem: frozenset(GRADE_ID.findall(path.read_text(encoding="utf-8"))) for path in paths}
    for path in [path for folder in (SAMPLES, SCRIPTS) for path in scripts(root, folder)]:
        by_name[path.stem] = frozenset(map(grade_id, MARK.findall(path.read_text(encoding="utf-8"))))
    return dict(sorted(by_name.items()))


def known(root: Path, name: str | None) -> dict[str, frozenset[str]]:
    """The same; raises UsageError if there is a ``name`` and it is none of them."""
    by_name = grade_ids(root)
    if name is not None and name not in by_name:
        raise UsageError(f"there is no assignment {name!r}; the course has {', '.join(by_name) or 'none'}.")
    return by_name
