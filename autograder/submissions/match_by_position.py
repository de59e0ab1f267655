"""Finds answers by position alone: texts, or code that defines nothing, whose cells lost their metadata."""

from autograder.authoring.assignment import Assignment, defined_names, is_solution, nbgrader_settings, released
from autograder.submissions.cells import trimmed
from autograder.submissions.notebook_cell import NotebookCell


def answers_by_position(entries: list[NotebookCell], assignment: Assignment) -> list[NotebookCell]:
    """The entries, which include all locked cells, with such answers identified.

    Such an answer is the first cell of its kind between its two neighbours in the source.
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
    plain = {trimmed(released(cell)) for cell, name in zip(sources, names, strict=True) if not name}
    for name in lost:
        place = names.index(name)
        index = {entry.grade_id: index for index, entry in enumerate(entries) if entry.grade_id}
        start = max((index[other] for other in names[:place] if other in index), default=-1)
        start = max(start, _only(entries, sources[place - 1].source) if place else -1)
        end = min((index[other] for other in names[place + 1 :] if other in index), default=len(entries))
        for position in range(start + 1, end):
            entry = entries[position]
            if not entry.grade_id and entry.kind == own[name].cell_type and trimmed(entry.source) not in plain:
                entries[position] = entry.owned(name)
                break
    return entries


def _only(entries: list[NotebookCell], source: str) -> int:
    """Index of the entry with this text; -1 if there is none or more than one."""
    text = trimmed(source)
    found = [index for index, entry in enumerate(entries) if not entry.grade_id and trimmed(entry.source) == text]
    return found[0] if len(found) == 1 else -1
