"""Puts the cells in the order in which they run.

The learner's own cells keep their order; the instructor's are inserted where the source has them.
Two mistakes that go unnoticed in a long-running notebook are repaired: a definition below the check that needs it, and
an answer in the wrong cell.
"""

from dataclasses import replace

from nbformat import NotebookNode

from autograder.assignments.assignment import (
    Assignment,
    defined_names,
    is_check,
    is_given,
    is_solution,
    is_written_answer,
    nbgrader_settings,
    released,
)
from autograder.errors import several
from autograder.submissions.cells import NotebookCell, trimmed
from autograder.submissions.defined_names import KNOWN, compiled, names_of

MAX_CODE = 500_000  # characters; in a longer notebook definitions below the checks are not searched for

Cells = dict[str, NotebookNode]  # grade id → the instructor's cell


def ordered(entries: list[NotebookCell], assignment: Assignment, notes: list[str]) -> list[NotebookCell]:
    """The entries in the order in which they run, including missing ones."""
    originals = assignment.cells
    _take_answers_from_below(entries, originals, notes)
    entries = _with_locked_cells(entries, originals, notes)
    if sum(len(entry.source) for entry in entries) <= MAX_CODE:
        _move_definitions_above_checks(entries, assignment, notes)
    _find_answers_by_position(entries, assignment)
    _note_second_definitions(entries, originals, notes)
    _find_words_elsewhere(entries, assignment, notes)
    return entries


def _take_answers_from_below(entries: list[NotebookCell], originals: Cells, notes: list[str]) -> None:
    """Identify answers in the learner's own cells; one below its checks moves to where its cell would be."""
    names = list(originals)
    for number, (name, cell) in enumerate(originals.items()):
        position = _provider(entries, name, cell) if is_solution(cell) else None
        if position is None or not entries[position].is_added:
            continue
        _, after = _around(names, number, _positions(entries))
        above = min(after, default=position)
        answer = entries.pop(position)
        entries.insert(min(above, position), answer.owned(name))
        if above < position:
            notes.append(f"The answer to `{name}` stood below its check, in {answer.name}; it was taken from there.")


def _provider(entries: list[NotebookCell], name: str, cell: NotebookNode) -> int | None:
    """Index of the answer: its own cell, else the last one that defines everything it should."""
    wanted = defined_names(cell.source)
    last = None
    for index, entry in enumerate(entries):
        if entry.grade_id == name:
            return index
        if wanted and entry.kind == "code" and wanted <= defined_names(entry.source):
            last = index
    return last


def _positions(entries: list[NotebookCell]) -> dict[str, int]:
    """Grade id → index."""
    return {entry.grade_id: index for index, entry in enumerate(entries) if entry.grade_id}


def _all_positions(entries: list[NotebookCell], originals: Cells) -> dict[str, int]:
    """Grade id → index, with those of answers that stand in another cell."""
    answers = {name: _provider(entries, name, cell) for name, cell in originals.items() if is_solution(cell)}
    return _positions(entries) | {name: position for name, position in answers.items() if position is not None}


def _around(names: list[str], number: int, at: dict[str, int]) -> tuple[list[int], list[int]]:
    """The indices of the cells that the source has before the cell of this number, and of those after it."""
    before, after = ([at[name] for name in part if name in at] for part in (names[:number], names[number + 1 :]))
    return before, after


def _with_locked_cells(entries: list[NotebookCell], originals: Cells, notes: list[str]) -> list[NotebookCell]:
    """Put missing or misplaced locked cells back where the source has them."""
    names = list(originals)
    at = _all_positions(entries, originals)
    missing = [name for name in names if name not in at and not is_solution(originals[name])]
    misplaced = _misplaced(names, at, originals)
    _note(missing, "was missing; it was put back", "were missing; they were put back", notes)
    moved = "had been moved; it was put back in its place", "had been moved; they were put back in their places"
    _note(misplaced, *moved, notes)
    arranged = [entry for entry in entries if entry.grade_id not in misplaced]
    for number, name in enumerate(names):
        if name not in missing and name not in misplaced:
            continue
        before, after = _around(names, number, _all_positions(arranged, originals))
        if before and is_check(originals[name]):
            target = 1 + max(before)
        else:  # above all that comes after it in the source, wherever that stands now
            target = min([*(place + 1 for place in before[-1:]), *after], default=0)
        arranged.insert(target, NotebookCell(originals[name].cell_type, originals[name].source, name))
    return arranged


def _misplaced(names: list[str], at: dict[str, int], originals: Cells) -> list[str]:
    """Checks above what they come after in the source, and given cells below what they come before."""
    graded = [name for name in names if name in at and not is_given(originals[name])]
    moved = {
        name
        for number, name in enumerate(graded)
        if is_check(originals[name]) and any(at[other] > at[name] for other in graded[:number])
    }
    unmoved = [name for name in graded if name not in moved]
    for number, name in enumerate(names):
        if name in at and is_given(originals[name]):
            later = set(names[number + 1 :])
            moved |= {name for other in unmoved if other in later and at[other] < at[name]}
    return [name for name in names if name in moved]


def _note(names: list[str], singular: str, plural: str, notes: list[str]) -> None:
    listed = several([f"`{name}`" for name in names], 3)
    if len(names) == 1:
        notes.append(f"The cell {listed} {singular}.")
    elif names:
        notes.append(f"The cells {listed} {plural}.")


def _move_definitions_above_checks(entries: list[NotebookCell], assignment: Assignment, notes: list[str]) -> None:
    """Move a learner's own cell above the check of an answer that needs it.

    Only for names that nothing above binds: without the repair the answer could only raise a NameError.
    """
    originals = assignment.cells
    theirs = {cell.source for cell in assignment.notebook.cells}
    position = 0
    while position < len(entries):
        if entries[position].grade_id in originals and is_check(originals[entries[position].grade_id]):
            below = [entry for entry in entries[position + 1 :] if entry.is_added and entry.source not in theirs]
            free = _missing_names(entries[:position], originals) if below else set()
            for entry in below:
                if needed := names_of(entry.source).bound & free:
                    entries.remove(entry)
                    entries.insert(position, entry)
                    what = f"`{min(needed)}` stood below the check that needs it, in {entry.name}"
                    notes.append(f"{what}; that cell ran above it.")
                    break
        position += 1


def _missing_names(above: list[NotebookCell], originals: Cells) -> set[str]:
    """The names that the answers among these cells need, and that none of these cells binds."""
    free: set[str] = set()
    bound = set(KNOWN)
    for entry in above:
        if entry.kind != "code":
            continue
        names = names_of(entry.source)
        bound |= names.bound
        if defined_names(entry.source) if entry.is_added else is_solution(originals[entry.grade_id]):
            free |= names.free
    return free - bound


def _find_answers_by_position(entries: list[NotebookCell], assignment: Assignment) -> None:
    """Identify texts, and code that defines nothing, whose cells lost their metadata.

    Such an answer is the first cell of its kind between its two neighbours in the source.
    """
    sources = assignment.notebook.cells
    names = [nbgrader_settings(cell).get("grade_id", "") for cell in sources]
    plain = {trimmed(released(cell)) for cell, name in zip(sources, names, strict=True) if not name}
    for number, (name, cell) in enumerate(zip(names, sources, strict=True)):
        at = _positions(entries)
        if not is_solution(cell) or name in at or (cell.cell_type == "code" and defined_names(cell.source)):
            continue
        text = trimmed(sources[number - 1].source) if number else ""
        above = [index for index, entry in enumerate(entries) if not entry.grade_id and trimmed(entry.source) == text]
        before, after = _around(names, number, at)
        start = max([-1, *before, *(above if len(above) == 1 else ())])
        end = min(after, default=len(entries))
        for index in range(start + 1, end):
            entry = entries[index]
            if not entry.grade_id and entry.kind == cell.cell_type and trimmed(entry.source) not in plain:
                entries[index] = entry.owned(name)
                break


def _note_second_definitions(entries: list[NotebookCell], originals: Cells, notes: list[str]) -> None:
    """Note answers that are defined again below their check, which does not see that definition."""
    names = list(originals)
    at = _positions(entries)
    for number, (name, cell) in enumerate(originals.items()):
        wanted = defined_names(cell.source) if is_solution(cell) else frozenset()
        checked = min(_around(names, number, at)[1], default=len(entries))
        for entry in entries[checked + 1 :] if wanted else ():
            if entry.is_added and wanted <= defined_names(entry.source):
                notes.append(
                    f"`{name}` is defined again in {entry.name}, below its check; the check saw the one above."
                )


def _find_words_elsewhere(entries: list[NotebookCell], assignment: Assignment, notes: list[str]) -> None:
    """Where a question is left as released, but the notebook has words that the release has not, say where.

    It is said in the answer's cell, too, which is then no longer as released, so that a person grades it.
    """
    names, at = list(assignment.cells), _positions(entries)
    for number, (name, cell) in enumerate(assignment.cells.items()):
        if is_written_answer(cell) and name not in at:
            before, _ = _around(names, number, at)
            entries.insert(max(before, default=-1) + 1, NotebookCell(cell.cell_type, released(cell), name))
            _note([name], "was missing; it was put back", "", notes)
            at = _positions(entries)
    known = {""} | {_bare(line) for cell in assignment.notebook.cells for line in released(cell).splitlines()}
    new = [[line.strip() for line in _text(entry).splitlines() if _bare(line) not in known] for entry in entries]
    for number, (name, cell) in enumerate(assignment.cells.items()):
        if not is_written_answer(cell) or new[at[name]]:
            continue
        above = max(_around(names, number, at)[0], default=-1)  # a learner's name on top is no answer
        below = zip(new[above + 1 :], entries[above + 1 :], strict=True)
        first = [lines[0] for lines, entry in below if lines and not entry.grade_id]
        if first:
            shown = ", ".join(f"“{line[:40]}{'…' * (len(line) > 40)}”" for line in first[:3]) + ", …" * (len(first) > 3)
            note = f"The cell `{name}` is as released; a person will read what you wrote in other cells ({shown})."
            entries[at[name]] = replace(entries[at[name]], source=f"{released(cell)}\n\n{note}")
            notes.append(note)


def _text(entry: NotebookCell) -> str:
    """The words of a cell that is a text, a comment, or no Python."""
    names = names_of(entry.source)
    is_code = entry.kind == "code" and (names.bound - {"__doc__"} or names.free) and compiled(entry.source)
    return "" if is_code or entry.source.startswith("%%") else entry.source


def _bare(line: str) -> str:
    """The letters and digits of a line, "" for one without letters: converters change the rest."""
    return "".join(filter(str.isalnum, line)) if any(map(str.isalpha, line)) else ""
