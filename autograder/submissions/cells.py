"""Submitted cells, untrusted and then repaired, and nbformat's cells without its slow validation of each."""

from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Any

from nbformat import NotebookNode, from_dict

IDS = {"code": "cell", "markdown": "text", "raw": "raw"}


@dataclass(frozen=True)
class NotebookCell:
    """One cell as submitted, or of the repaired notebook, where a locked cell has the instructor's source."""

    kind: str  # "code", "markdown" or "raw"
    source: str
    grade_id: str = ""  # as submitted; once repaired, empty for a cell of the learner's own
    number: int = 0  # among the cells of its kind, from 1: for code cells, the In [number] after `Run All`
    attachments: dict[str, dict[str, str]] = field(default_factory=dict)
    idle: bool = False  # it need not run for a grade
    stand_in: str = ""  # what runs instead of the source, if that calls checks or installs packages
    submitted_id: str = ""  # empty once repaired

    @property
    def name(self) -> str:
        return self.grade_id or f"cell {self.number}"

    @property
    def id(self) -> str:
        return self.grade_id or f"{IDS[self.kind]}-{self.number}"

    @property
    def is_added(self) -> bool:
        """Whether it is the learner's own code, outside the instructor's cells."""
        return self.kind == "code" and not self.grade_id

    def owned(self, grade_id: str) -> "NotebookCell":
        return replace(self, grade_id=grade_id, submitted_id="")


def code_cell(source: str, name: str, metadata: dict[str, Any]) -> NotebookNode:
    fields: dict[str, Any] = {"cell_type": "code", "execution_count": None, "outputs": []}
    return from_dict({"id": name, "metadata": metadata, "source": source, **fields})


def markdown_cell(source: str, name: str, metadata: dict[str, Any]) -> NotebookNode:
    return from_dict({"id": name, "cell_type": "markdown", "metadata": metadata, "source": source})


@lru_cache(maxsize=4096)  # more than a notebook's cells: each is compared with many
def trimmed(source: str) -> str:
    """Without blank lines around it and blanks at the ends of lines, which editors change."""
    return "\n".join(line.rstrip() for line in source.strip().splitlines())
