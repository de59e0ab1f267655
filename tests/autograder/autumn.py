"""A class called autumn: its table, the exercise of its own, which the instructors' page shows, and its gradebook."""

import re

from small_course import ROOT

from autograder.gradebook.class_scores import class_scores
from tests.gradebooks import opened

PAGE = (ROOT / "book" / "instructors.md").read_text(encoding="utf-8")
FILES = dict(re.findall(r"`((?:tasks|solutions)/\w+\.py)`[^\n]*\n\n```python\n(.*?)^```$", PAGE, re.M | re.S))
OWN = "17_centring"
TABLE = f"""
name = "autumn"
time_zone = "Europe/Berlin"
late = 10
best = 2
[exercises]
05_scorers = {{weight = 3}}
{OWN} = {{weight = 1, due = 2026-11-20 12:00:00}}
[extensions]
ben.{OWN} = 2026-11-27 12:00:00
"""


def scores(root):
    """Learner → points before the penalty, and what is taken off."""
    with opened(root / "grades") as gradebook:
        return {name: (line.points, line.penalty) for name, line in class_scores(gradebook, OWN).items()}


def people(root):
    """Who is in the gradebook, with the name that formgrader shows."""
    with opened(root / "grades") as gradebook:
        names = {student.id: (student.last_name, student.first_name) for student in gradebook.students}
    return {student: None if None in name else ", ".join(name) for student, name in names.items()}
