"""Which handed-in cell is which of the instructor's, and in what order they run.

Learners delete, duplicate, move, retype and edit cells, and editors lose their metadata.
The learner's own cells keep their order; the instructor's are put among them where the source has them.
"""

from collections import defaultdict
from dataclasses import dataclass, field

from nbformat import NotebookNode

from autograder.authoring.assignment import (
    Assignment,
    defined_names,
    is_check,
    is_solution,
    nbgrader_settings,
    released,
)
from autograder.submissions.reading import PlainCell

IDS = {"code": "cell", "markdown": "text", "raw": "raw"}


@dataclass(frozen=True)
class Entry:
    """One cell of the mended notebook; of a locked cell the source is the instructor's, whatever stands here."""

    kind: str
    source: str
    grade_id: str = ""  # empty for a cell of the learner's own
    number: int = 0
    attachments: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        return self.grade_id or f"cell {self.number}"

    @property
    def id(self) -> str:
        return self.grade_id or f"{IDS[self.kind]}-{self.number}"

    @classmethod
    def of(cls, cell: PlainCell, grade_id: str = "") -> "Entry":
        kind = "code" if grade_id and cell.kind == "raw" else cell.kind
        return cls(kind, cell.source, grade_id, cell.number, cell.attachments)

    @classmethod
    def blank(cls, cell: NotebookNode, number: int) -> "Entry":
        """The instructor's cell as released."""
        return cls(cell.cell_type, released(cell), nbgrader_settings(cell).get("grade_id", ""), number)


def arrange(cells: list[PlainCell], assignment: Assignment) -> tuple[list[Entry], list[str]]:
    """The mended order of cells, and a note for each repair that the learner should know of."""
    notes: list[str] = []
    own = assignment.cells
    owners = _owners(cells, own, notes)
    entries: list[Entry] = []
    for index, cell in enumerate(cells):
        name = owners.get(index, "")
        if name and cell.kind != own[name].cell_type:
            if is_solution(own[name]):
                notes.append(f"The cell `{name}` was of type {cell.kind}; it was read as {own[name].cell_type}.")
            cell = PlainCell(own[name].cell_type, cell.source, cell.number, name)
        if name and not is_solution(own[name]) and not _same(cell.source, own[name]):
            notes.append(f"The cell `{name}` had been changed; the instructor's version was used.")
        if not name and cell.grade_id in _locked(own) and _same(cell.source, own[cell.grade_id]):
            continue  # a second copy of a locked cell, unchanged
        entries.append(Entry.of(cell, name))
    return _ordered(entries, own, notes), notes


def _owners(cells: list[PlainCell], own: dict[str, NotebookNode], notes: list[str]) -> dict[int, str]:
    """Index of a handed-in cell → grade id of the instructor's cell that it is."""
    claims: dict[str, list[int]] = defaultdict(list)
    for index, cell in enumerate(cells):
        if cell.grade_id in own:
            claims[cell.grade_id].append(index)
    free = [index for index, cell in enumerate(cells) if cell.grade_id not in own]
    for name, cell in own.items():
        if name not in claims:
            found = next((index for index in free if _is(cells[index], name, cell)), None)
            if found is not None:
                claims[name] = [found]
                free.remove(found)
    owners = {}
    for name, indices in claims.items():
        if len(indices) > 1 and is_solution(own[name]):
            notes.append(f"The cell `{name}` was there {len(indices)} times; all ran in order, so the last one counts.")
        owners[indices[-1] if is_solution(own[name]) else indices[0]] = name
    return owners


def _is(cell: PlainCell, name: str, own: NotebookNode) -> bool:
    """Does a cell that lost its metadata still show what it is: by its id, by what it defines, by its text?"""
    if cell.id == name:
        return True
    if is_solution(own):
        return cell.kind == "code" and bool(defined_names(cell.source) & defined_names(own.source))
    return _same(cell.source, own)


def _same(source: str, own: NotebookNode) -> bool:
    text = _trimmed(source)
    return text in (_trimmed(own.source), _trimmed(released(own)))


def _trimmed(source: str) -> str:
    return "\n".join(line.rstrip() for line in source.strip().splitlines())


def _locked(own: dict[str, NotebookNode]) -> list[str]:
    return [name for name, cell in own.items() if not is_solution(cell)]


def _ordered(entries: list[Entry], own: dict[str, NotebookNode], notes: list[str]) -> list[Entry]:
    """Locked cells that are missing or out of order go back to where the source has them."""
    names = list(own)
    present = {entry.grade_id for entry in entries}
    position = {entry.grade_id: index for index, entry in enumerate(entries) if entry.grade_id}
    astray = set()
    for name in _locked(own):
        if name not in present:
            notes.append(f"The cell `{name}` was missing; it was put back.")
            continue
        place = names.index(name)
        if is_check(own[name]):
            wrong = any(position.get(other, -1) > position[name] for other in names[:place] if is_solution(own[other]))
        else:
            after = [other for other in names[place + 1 :] if is_solution(own[other])]
            wrong = any(position.get(other, len(entries)) < position[name] for other in after)
        if wrong:
            astray.add(name)
            notes.append(f"The cell `{name}` had been moved; it was put back in its place.")
    ordered = [entry for entry in entries if entry.grade_id not in astray]
    for place, name in enumerate(names):
        if is_solution(own[name]) or any(entry.grade_id == name for entry in ordered):
            continue
        index = {entry.grade_id: index for index, entry in enumerate(ordered) if entry.grade_id}
        before = [index[other] for other in names[:place] if other in index]
        if before:
            target = 1 + (max(before) if is_check(own[name]) else before[-1])
        else:
            target = next((index[other] for other in names[place + 1 :] if other in index), 0)
        ordered.insert(target, Entry(own[name].cell_type, own[name].source, name))
    return ordered
