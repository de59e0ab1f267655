"""Matches submitted cells with the instructor's.

Learners delete, duplicate, retype and edit cells, and editors lose their metadata.
A cell is recognised by its grade id, its id, what it defines or its text.
"""

import re
from collections import defaultdict
from dataclasses import replace
from functools import lru_cache

from nbformat import NotebookNode

from autograder.assignments.assignment import Assignment, defined_names, is_check, is_solution, released
from autograder.submissions.cells import NotebookCell, trimmed
from autograder.submissions.ordering import Cells, ordered

STUB = re.compile(r"^[^\S\n]*raise NotImplementedError\b", re.MULTILINE)
FENCES = ("```", "~~~")
VARIANT = re.compile(r"(?:,\s*)?(?:key='([\w.@ -]{1,64})')?\)$", re.MULTILINE)  # ends the call of a check
BINDING = re.compile(r"^(?:import|from|def|class|async def|\w+[ \t]*=)(?!\w)(?!.*\bautograder\.checks\b)", re.MULTILINE)


def arrange(cells: list[NotebookCell], assignment: Assignment) -> tuple[list[NotebookCell], list[str]]:
    """The cells in repaired order, and a note for the learner on each repair."""
    notes: list[str] = []
    originals = assignment.cells
    claims = _claims(cells, assignment)
    owners = _owners(cells, claims, originals, notes)
    blank = _blank(cells, claims, originals)
    entries: list[NotebookCell] = []
    variants: list[str] = []
    for index, cell in enumerate(cells):
        name = owners.get(index, "")
        if index in blank:
            continue
        if not name:
            original = originals.get(cell.grade_id)
            if original is not None and not is_solution(original) and _same(cell.source, original):
                continue  # a second copy of a locked cell, unchanged
            entries.append(cell.owned(""))
        elif is_solution(originals[name]):
            entries.append(_retyped(cell, originals[name].cell_type, name, notes).owned(name))
        elif _same(cell.source, originals[name]):
            entries.append(_locked(cell, originals[name], name))
            if is_check(originals[name]):
                variants += _other_variant(cell, originals[name])
        else:
            entries += _changed(cell, originals[name], name, notes)
    notes += dict.fromkeys(variants)
    return ordered(entries, assignment, notes), notes


def _claims(cells: list[NotebookCell], assignment: Assignment) -> dict[str, list[int]]:
    """Grade id → indices of the submitted cells that are this cell of the instructor's, or copies of it."""
    originals = assignment.cells
    claims: dict[str, list[int]] = defaultdict(list)
    for index, cell in enumerate(cells):
        if cell.grade_id in originals:
            claims[cell.grade_id].append(index)
    for name, indices in claims.items():  # a copy of the name alone, with something else in it, may be another's answer
        if is_solution(originals[name]) and (
            defining := [index for index in indices if _defines(cells[index], originals[name])]
        ):
            claims[name] = defining
    claimed = {index for indices in claims.values() for index in indices}
    free = [index for index in range(len(cells)) if index not in claimed]
    # Locked cells first: they match by text.
    for name in sorted(originals, key=lambda name: is_solution(originals[name])):
        if name in claims:
            continue
        matches = [index for index in free if _is(cells[index], name, originals[name])]
        if matches and is_solution(originals[name]):
            later = list(originals)[list(originals).index(name) + 1 :]
            end = min((claims[other][0] for other in later if other in claims), default=len(cells))
            matches = [index for index in matches if index < end] or matches
        if matches:
            claims[name] = matches if is_solution(originals[name]) else matches[:1]
            free = [index for index in free if index not in claims[name]]
    return claims


def _owners(
    cells: list[NotebookCell], claims: dict[str, list[int]], originals: Cells, notes: list[str]
) -> dict[int, str]:
    """Index of a submitted cell → grade id, one cell for each: of several answers, the last that is not blank."""
    owners = {}
    for name, indices in claims.items():
        if not is_solution(originals[name]):
            owners[indices[0]] = name
            continue
        filled = [index for index in indices if not is_blank(cells[index].source, originals[name])] or indices[-1:]
        if len(filled) > 1:
            notes.append(f"The cell `{name}` was there {len(filled)} times; all ran in order, so the last one counts.")
        owners[filled[-1]] = name
    for name, original in originals.items():  # in a cell that was merged with an answer of which there is another copy
        if is_solution(original) and name not in claims:
            left = [index for index, cell in enumerate(cells) if index not in owners and _defines(cell, original)]
            filled = [index for index in left if not is_blank(cells[index].source, original)]
            owners |= {index: name for index in filled[-1:]}
    return owners


def _is(cell: NotebookCell, name: str, original: NotebookNode) -> bool:
    """Whether a cell that lost its metadata matches by its id, by what it defines, or by its text."""
    if cell.submitted_id == name:
        return True
    if is_solution(original):
        return _defines(cell, original)
    return _same(cell.source, original)


def _defines(cell: NotebookCell, original: NotebookNode) -> bool:
    return cell.kind == "code" and bool(defined_names(cell.source) & defined_names(original.source))


def _blank(cells: list[NotebookCell], claims: dict[str, list[int]], originals: Cells) -> set[int]:
    """Copies of an answer cell left as released although another cell has the answer; they do not run."""
    filled = [cell.source for cell in cells if cell.kind == "code" and not STUB.search(cell.source)]
    blank = set()
    for name, indices in claims.items():
        wanted = defined_names(originals[name].source) if is_solution(originals[name]) else set()
        left = [index for index in indices if is_blank(cells[index].source, originals[name])] if wanted else []
        if left and any(wanted <= defined_names(source) for source in filled):
            blank.update(left)
    return blank


def is_blank(source: str, original: NotebookNode) -> bool:
    """Whether this answer cell is as released, or still has one of its stubs."""
    return trimmed(source) == trimmed(released(original)) or bool(
        STUB.search(source) and STUB.search(released(original))
    )


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


def _locked(cell: NotebookCell, original: NotebookNode, name: str) -> NotebookCell:
    return NotebookCell(original.cell_type, original.source, name, cell.number)


def _changed(cell: NotebookCell, original: NotebookNode, name: str, notes: list[str]) -> list[NotebookCell]:
    """The instructor's version of a locked cell, and the learner's too if other cells may need its names."""
    locked = _locked(cell, original, name)
    known = {line.strip() for line in original.source.splitlines()}
    theirs = "\n".join(line for line in cell.source.splitlines() if line.strip() not in known)
    if original.cell_type != "code" or cell.kind != "code" or not BINDING.search(theirs):
        notes.append(f"The cell `{name}` had been changed; the instructor's version was used.")
        return [locked] if original.cell_type == "code" else [locked, replace(cell, source=theirs).owned("")]
    notes.append(f"The cell `{name}` had been changed; the instructor's version was used, and yours ran beside it.")
    return [cell.owned(""), locked] if is_check(original) else [locked, cell.owned("")]


def _other_variant(cell: NotebookCell, original: NotebookNode) -> list[str]:
    """A note if this check is called with another key than the instructor's."""
    sources = cell.source, original.source, released(original)  # of a hidden check learners get no call
    given, expected, shown = ("".join(VARIANT.findall(source)) for source in sources)
    if given in (expected, shown):
        return []
    theirs, ours = (f"of variant `{key}`" if key else "without a variant" for key in (given, expected))
    graded = f"it was graded as one {ours}, whose tasks may differ"
    return [f"The notebook is {theirs}; {graded}. Was the wrong one downloaded?"]


def _same(source: str, original: NotebookNode) -> bool:
    """Whether the cell is the instructor's, if need be in another variant: a check's tells its key."""
    compared = _without_key if is_check(original) else trimmed
    return compared(source) in (compared(original.source), compared(released(original)))


@lru_cache(maxsize=4096)  # as for `trimmed`
def _without_key(check_source: str) -> str:
    return VARIANT.sub(")", trimmed(check_source))
