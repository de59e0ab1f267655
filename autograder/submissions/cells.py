"""The cells of the repaired notebook, and nbformat's cells without its slow validation of each."""

from dataclasses import dataclass, field, replace
from typing import Any

from nbformat import NotebookNode, from_dict

from autograder.authoring.assignment import nbgrader_settings, released
from autograder.submissions.reading import PlainCell

IDS = {"code": "cell", "markdown": "text", "raw": "raw"}


@dataclass(frozen=True)
class NotebookCell:
    """One cell of the repaired notebook; a locked cell has the instructor's source."""

    kind: str
    source: str
    grade_id: str = ""  # empty for a cell of the learner's own
    number: int = 0
    attachments: dict[str, dict[str, str]] = field(default_factory=dict)
    idle: bool = False  # it need not run for a grade
    stand_in: str = ""  # what runs instead of the source, if that calls checks or installs packages

    @property
    def name(self) -> str:
        return self.grade_id or f"cell {self.number}"

    @property
    def id(self) -> str:
        return self.grade_id or f"{IDS[self.kind]}-{self.number}"

    @property
    def is_own(self) -> bool:
        """Whether it is the learner's own code, outside the instructor's cells."""
        return self.kind == "code" and not self.grade_id

    @classmethod
    def of(cls, cell: PlainCell, grade_id: str = "") -> "NotebookCell":
        return cls(cell.kind, cell.source, grade_id, cell.number, cell.attachments)

    @classmethod
    def blank(cls, cell: NotebookNode, number: int) -> "NotebookCell":
        """The instructor's cell as released."""
        return cls(cell.cell_type, released(cell), nbgrader_settings(cell).get("grade_id", ""), number)

    def owned(self, grade_id: str) -> "NotebookCell":
        return replace(self, grade_id=grade_id)


def code_cell(source: str, name: str, metadata: dict[str, Any]) -> NotebookNode:
    fields: dict[str, Any] = {"cell_type": "code", "execution_count": None, "outputs": []}
    return from_dict({"id": name, "metadata": metadata, "source": source, **fields})


def markdown_cell(source: str, name: str, metadata: dict[str, Any]) -> NotebookNode:
    return from_dict({"id": name, "cell_type": "markdown", "metadata": metadata, "source": source})


def trimmed(source: str) -> str:
    """Without blank lines around it and blanks at the ends of lines, which editors change."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())
