"""The grade ids of every assignment, by which a notebook is known whatever it is called."""

import re
from pathlib import Path

from autograder.assignments.cutting import grade_id
from autograder.assignments.script import scripts
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
