"""Answers that nothing but their place tells: a text, or code that defines nothing, whose cell lost its metadata."""

from autograder.authoring.assignment import Assignment, defined_names, is_solution, nbgrader_settings, released
from autograder.submissions.entry import Entry


def answers_by_place(entries: list[Entry], assignment: Assignment) -> list[Entry]:
    """The entries, all of the instructor's locked cells among them, with such answers known for what they are.

    Such an answer is the first cell of its kind between the two cells that its neighbours are in the source.
    """
    own = assignment.cells
    present = {entry.grade_id for entry in entries}
    lost = [
        name
        for name, cell in own.items()
        if name not in present and is_solution(cell) and not (cell.cell_type == "code" and defined_names(cell.source))
    ]
    if not lost:
        return entries
    entries = list(entries)
    sources = assignment.notebook.cells
    names = [nbgrader_settings(cell).get("grade_id", "") for cell in sources]
    plain = {_bare(released(cell)) for cell, name in zip(sources, names, strict=True) if not name}
    for name in lost:
        place = names.index(name)
        index = {entry.grade_id: index for index, entry in enumerate(entries) if entry.grade_id}
        start = max((index[other] for other in names[:place] if other in index), default=-1)
        start = max(start, _only(entries, sources[place - 1].source) if place else -1)
        end = min((index[other] for other in names[place + 1 :] if other in index), default=len(entries))
        for position in range(start + 1, end):
            entry = entries[position]
            if not entry.grade_id and entry.kind == own[name].cell_type and _bare(entry.source) not in plain:
                entries[position] = entry.owned(name)
                break
    return entries


def _only(entries: list[Entry], source: str) -> int:
    """Where the text that stands just above the answer is in the source; -1 where it is not, or is not alone."""
    text = _bare(source)
    found = [index for index, entry in enumerate(entries) if not entry.grade_id and _bare(entry.source) == text]
    return found[0] if len(found) == 1 else -1


def _bare(source: str) -> str:
    return "\n".join(line.rstrip() for line in source.strip().splitlines())
