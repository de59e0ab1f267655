"""``{grading-speed}``: what one more submission costs, exercise by exercise, beside stock nbgrader."""

import json

from docutils import nodes
from sphinx.application import Sphinx

from course.exercises import FromMarkdown

RESULTS = "benchmarks/results/grading_speed.json"
KINDS = ("solved", "half", "blank")


class GradingSpeed(FromMarkdown):
    """A row for each exercise that was measured."""

    def run(self) -> list[nodes.Node]:
        path = self.root / RESULTS
        lines = [
            ":::{table} Seconds for one more submission, one at a time; how many times longer stock nbgrader takes",
            ":name: tab-instructors-speed",
            "",
            "| exercise | solved | stock | half done | stock | blank | stock |",
            "|---|---:|---:|---:|---:|---:|---:|",
        ]
        for row in json.loads(path.read_text(encoding="utf-8"))["exercises"]:
            cells = (f"{row[f'{kind}, ours']:.2f} | × {row[f'{kind}, times']:.0f}" for kind in KINDS)
            lines.append(f"| `{row['exercise']}` | {' | '.join(cells)} |")
        return self.written("\n".join([*lines, ":::"]), [path])


def setup(app: Sphinx) -> None:
    app.add_directive("grading-speed", GradingSpeed)
