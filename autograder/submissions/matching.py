"""Matches submitted cells with the instructor's.

Learners delete, duplicate, retype and edit cells, and editors lose their metadata.
A cell is recognised by its grade id, its id, what it defines or its text.
"""

import re
from collections import defaultdict
from dataclasses import replace

from nbformat import NotebookNode

from autograder.authoring.assignment import Assignment, defined_names, is_check, is_solution, released
from autograder.submissions.cells import NotebookCell, trimmed
from autograder.submissions.ordering import Cells, ordered

STUB = re.compile(r"^[^\S\n]*raise NotImplementedError\b", re.MULTILINE)
FENCES = ("```", "~~~")
BINDING = re.compile(r"^(?:import|from|def|class|async def|\w+[ \t]*=)(?!\w)(?!.*\bautograder\.checks\b)", re.MULTILINE)


def arrange(cells: list[NotebookCell], assignment: Assignment) -> tuple[list[NotebookCell], list[str]]:
    """The cells in repaired order, and a note for the learner on each repair."""
    notes: list[str] = []
    own = assignment.cells
    claims = _claims(cells, assignment)
    owners = _owners(cells, claims, own, notes)
    blank = _blank(cells, claims, own)
    entries: list[NotebookCell] = []
    for index, cell in enumerate(cells):
        name = owners.get(index, "")
        if index in blank:
            continue
        if not name:
            if cell.grade_id in own and not is_solution(own[cell.grade_id]) and _same(cell.source, own[cell.grade_id]):
                continue  # a second copy of a locked cell, unchanged
            entries.append(cell.owned(""))
        elif is_solution(own[name]):
            entries.append(_retyped(cell, own[name].cell_type, name, notes).owned(name))
        elif _same(cell.source, own[name]):
            entries.append(_locked(cell, own[name], name))
        else:
            entries += _changed(cell, own[name], name, notes)
    return ordered(entries, assignment, notes), notes


def _claims(cells: list[NotebookCell], assignment: Assignment) -> dict[str, list[int]]:
    """Grade id → indices of the submitted cells that are this cell of the instructor's, or copies of it."""
    own = assignment.cells
    claims: dict[str, list[int]] = defaultdict(list)
    for index, cell in enumerate(cells):
        if cell.grade_id in own:
            claims[cell.grade_id].append(index)
    free = [index for index, cell in enumerate(cells) if cell.grade_id not in own]
    for name in sorted(own, key=lambda name: is_solution(own[name])):  # locked cells first: they match by text
        if name in claims:
            continue
        found = [index for index in free if _is(cells[index], name, own[name])]
        if found and is_solution(own[name]):
            later = list(own)[list(own).index(name) + 1 :]
            end = min((claims[other][0] for other in later if other in claims), default=len(cells))
            found = [index for index in found if index < end] or found
        if found:
            claims[name] = found if is_solution(own[name]) else found[:1]
            free = [index for index in free if index not in claims[name]]
    return claims


def _owners(cells: list[NotebookCell], claims: dict[str, list[int]], own: Cells, notes: list[str]) -> dict[int, str]:
    """Index of a submitted cell → grade id, one cell for each: of several answers, the last that is not blank."""
    owners = {}
    for name, indices in claims.items():
        if not is_solution(own[name]):
            owners[indices[0]] = name
            continue
        filled = [index for index in indices if not is_blank(cells[index].source, own[name])] or indices[-1:]
        if len(filled) > 1:
            notes.append(f"The cell `{name}` was there {len(filled)} times; all ran in order, so the last one counts.")
        owners[filled[-1]] = name
    return owners


def _is(cell: NotebookCell, name: str, own: NotebookNode) -> bool:
    """Whether a cell that lost its metadata matches by its id, by what it defines, or by its text."""
    if cell.submitted_id == name:
        return True
    if is_solution(own):
        return cell.kind == "code" and bool(defined_names(cell.source) & defined_names(own.source))
    return _same(cell.source, own)


def _blank(cells: list[NotebookCell], claims: dict[str, list[int]], own: Cells) -> set[int]:
    """Copies of an answer cell left as released although another cell has the answer; they do not run."""
    filled = [cell.source for cell in cells if cell.kind == "code" and not STUB.search(cell.source)]
    blank = set()
    for name, indices in claims.items():
        wanted = defined_names(own[name].source) if is_solution(own[name]) else set()
        left = [index for index in indices if is_blank(cells[index].source, own[name])] if wanted else []
        if left and any(wanted <= defined_names(source) for source in filled):
            blank.update(left)
    return blank


def is_blank(source: str, own: NotebookNode) -> bool:
    """Whether this answer cell is as released, or still has one of its stubs."""
    return trimmed(source) == trimmed(released(own)) or bool(STUB.search(source) and STUB.search(released(own)))


def _retyped(cell: NotebookCell, kind: str, name: str, notes: list[str]) -> NotebookCell:
    if cell.kind == kind:
        return cell
    notes.append(f"The cell `{name}` was of type {cell.kind}; it was read as {kind}.")
    return replace(cell, kind=kind, source=_unfenced(cell.source) if kind == "code" else cell.source)


def _unfenced(source: str) -> str:
    """The code inside Markdown fences, if the source is just a fenced block."""
    first, _, rest = source.strip().partition("\n")
    sign = first[:1]
    opened, closed = len(first) - len(first.lstrip(sign)), len(rest) - len(rest.rstrip(sign))
    if first[:3] not in FENCES or closed < 3:
        return source
    return rest[: -min(opened, closed)].removesuffix("\n")


def _locked(cell: NotebookCell, own: NotebookNode, name: str) -> NotebookCell:
    return NotebookCell(own.cell_type, own.source, name, cell.number)


def _changed(cell: NotebookCell, own: NotebookNode, name: str, notes: list[str]) -> list[NotebookCell]:
    """The instructor's version of a locked cell, and the learner's too if other cells may need its names."""
    locked = _locked(cell, own, name)
    known = {line.strip() for line in own.source.splitlines()}
    theirs = "\n".join(line for line in cell.source.splitlines() if line.strip() not in known)
    if own.cell_type != "code" or cell.kind != "code" or not BINDING.search(theirs):
        notes.append(f"The cell `{name}` had been changed; the instructor's version was used.")
        return [locked] if own.cell_type == "code" else [locked, replace(cell, source=theirs).owned("")]
    notes.append(f"The cell `{name}` had been changed; the instructor's version was used, and yours ran beside it.")
    return [cell.owned(""), locked] if is_check(own) else [locked, cell.owned("")]


def _same(source: str, own: NotebookNode) -> bool:
    return trimmed(source) in (trimmed(own.source), trimmed(released(own)))
