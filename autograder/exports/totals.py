"""A class's totals: each exercise in per cent, and the mean of those that count, by the weights of its table."""

import datetime
from pathlib import Path

from nbgrader.api import Gradebook

from autograder.class_table import read
from autograder.errors import UsageError
from autograder.exports.grades import GradesExporter, Line
from autograder.exports.spreadsheet import written
from autograder.folders import TABLE


class TotalsExporter(GradesExporter):
    """One row per student. What is not due yet, or graded for nobody, is left out of the totals, and named."""

    default_to = "totals.csv"

    def deliver(self, gradebook: Gradebook) -> None:
        table = read(Path(self.parent.coursedir.root))
        if table is None:
            raise UsageError(f"totals need weights, which a class has in its {TABLE}: run it in the class's folder.")
        lines = self.lines(gradebook)
        now = datetime.datetime.now(datetime.UTC)
        due = {name: weighted.due for name, weighted in table.exercises.items()}
        early = [name for name, time in due.items() if time and time > now]
        graded = {line.assignment for line in lines if line.submitted} - {*early}
        names = [name for name in due if name in graded]
        if not names:
            raise UsageError(f"no exercise of {TABLE} is due and graded yet; the gradebook has {', '.join(graded)}.")
        ahead = [name for name in due if name not in {*names, *early}]
        tell = self.log.warning if any(due[name] for name in ahead) else self.notices.append
        if early:
            self.notices.append(f"not due yet, and in no total: {', '.join(early)}.")
        if ahead:
            tell(f"not graded yet, and in no total: {', '.join(ahead)}.")
        rows: list[tuple[object, ...]] = [("student_id", "last_name", "first_name", *names, "counted", "total")]
        shares: dict[str, dict[str, float]] = {line.student: dict.fromkeys(names, 0.0) for line in lines}
        for line in (line for line in lines if line.assignment in names):
            if line.submitted:
                shares[line.student][line.assignment] = share(line)
            elif table.extensions.get(line.student, {}).get(line.assignment, now) > now:
                del shares[line.student][line.assignment]
                self.notices.append(f"{line.student} has more time, and {line.assignment} is not in their total.")
        people = {line.student: line.person for line in lines}
        for student, earned in sorted(shares.items()):
            who = student, people[student].last_name, people[student].first_name
            result = " ".join(table.counted(earned)), per_cent(table.total(earned))
            rows.append((*who, *(per_cent(earned[name]) if name in earned else "" for name in names), *result))
        self.write(self.destination, written(rows))


def share(line: Line) -> float:
    """Of the exercise's points, after the penalty."""
    return line.grade.score / line.grade.max_score if line.grade.max_score else 0.0


def per_cent(share: float) -> float:
    return round(100 * share, 2)
