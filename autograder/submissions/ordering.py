"""Puts the cells in the order in which they run.

The learner's own cells keep their order; the instructor's are inserted where the source has them.
Two mistakes that go unnoticed in a long-running notebook are repaired: a definition below the check that needs it, and
an answer in the wrong cell.
"""

from dataclasses import replace

from nbformat import NotebookNode

from autograder.authoring.assignment import (
    Assignment,
    defined_names,
    is_check,
    is_given,
    is_solution,
    is_written_answer,
    nbgrader_settings,
    released,
)
from autograder.submissions.cells import NotebookCell, trimmed
from autograder.submissions.defined_names import KNOWN, compiled, names_of

MAX_CODE = 500_000  # characters; in a longer notebook definitions below the checks are not searched for

Cells = dict[str, NotebookNode]  # grade id → the instructor's cell


def ordered(entries: list[NotebookCell], assignment: Assignment, notes: list[str]) -> list[NotebookCell]:
    """The entries in the order in which they run, including missing ones."""
    own = assignment.cells
    _take_answers_from_below(entries, own, notes)
    entries = _locked_in_place(entries, own, notes)
    if sum(len(entry.source) for entry in entries) <= MAX_CODE:
        _move_definitions_above_checks(entries, assignment, notes)
    _find_answers_by_position(entries, assignment)
    _note_second_definitions(entries, own, notes)
    _find_words_elsewhere(entries, assignment, notes)
    return entries


def _take_answers_from_below(entries: list[NotebookCell], own: Cells, notes: list[str]) -> None:
    """Identify answers in the learner's own cells; one below its checks moves to where its cell would be."""
    names = list(own)
    for number, (name, cell) in enumerate(own.items()):
        place = _provider(entries, name, cell) if is_solution(cell) else None
        if place is None or not entries[place].is_own:
            continue
        above = next((index for index, entry in enumerate(entries) if entry.grade_id in names[number + 1 :]), place)
        answer = entries.pop(place)
        entries.insert(min(above, place), answer.owned(name))
        if above < place:
            notes.append(f"The answer to `{name}` stood below its check, in {answer.name}; it was taken from there.")


def _provider(entries: list[NotebookCell], name: str, cell: NotebookNode) -> int | None:
    """Index of the answer: its own cell, else the last one that defines everything it should."""
    wanted = defined_names(cell.source)
    found = None
    for index, entry in enumerate(entries):
        if entry.grade_id == name:
            return index
        if wanted and entry.kind == "code" and wanted <= defined_names(entry.source):
            found = index
    return found


def _places(entries: list[NotebookCell]) -> dict[str, int]:
    """Grade id → index."""
    return {entry.grade_id: index for index, entry in enumerate(entries) if entry.grade_id}


def _all_places(entries: list[NotebookCell], own: Cells) -> dict[str, int]:
    """Grade id → index, with those of answers that stand in another cell."""
    answers = {name: _provider(entries, name, cell) for name, cell in own.items() if is_solution(cell)}
    return _places(entries) | {name: place for name, place in answers.items() if place is not None}


def _locked_in_place(entries: list[NotebookCell], own: Cells, notes: list[str]) -> list[NotebookCell]:
    """Put missing or misplaced locked cells back where the source has them."""
    names = list(own)
    at = _all_places(entries, own)
    missing = [name for name in names if name not in at and not is_solution(own[name])]
    misplaced = _misplaced(names, at, own)
    _note(missing, "was missing; it was put back", "were missing; they were put back", notes)
    moved = "had been moved; it was put back in its place", "had been moved; they were put back in their places"
    _note(misplaced, *moved, notes)
    arranged = [entry for entry in entries if entry.grade_id not in misplaced]
    for place, name in enumerate(names):
        if name not in missing and name not in misplaced:
            continue
        at = _all_places(arranged, own)
        before = [at[other] for other in names[:place] if other in at]
        if before:
            target = 1 + (max(before) if is_check(own[name]) else before[-1])
        else:
            target = next((at[other] for other in names[place + 1 :] if other in at), 0)
        arranged.insert(target, NotebookCell(own[name].cell_type, own[name].source, name))
    return arranged


def _misplaced(names: list[str], at: dict[str, int], own: Cells) -> list[str]:
    """Checks above what they come after in the source, and given cells below what they come before."""
    graded = [name for name in names if name in at and not is_given(own[name])]
    moved = {
        name
        for place, name in enumerate(graded)
        if is_check(own[name]) and any(at[other] > at[name] for other in graded[:place])
    }
    kept = [name for name in graded if name not in moved]
    for place, name in enumerate(names):
        if name in at and is_given(own[name]):
            later = set(names[place + 1 :])
            moved |= {name for other in kept if other in later and at[other] < at[name]}
    return [name for name in names if name in moved]


def _note(names: list[str], one: str, several: str, notes: list[str]) -> None:
    listed = ", ".join(f"`{name}`" for name in names[:3]) + (f" and {len(names) - 3} more" if names[3:] else "")
    if len(names) == 1:
        notes.append(f"The cell {listed} {one}.")
    elif names:
        notes.append(f"The cells {listed} {several}.")


def _move_definitions_above_checks(entries: list[NotebookCell], assignment: Assignment, notes: list[str]) -> None:
    """Move a learner's own cell above the check of an answer that needs it.

    Only for names that nothing above binds: without the repair the answer could only raise a NameError.
    """
    own = assignment.cells
    theirs = {cell.source for cell in assignment.notebook.cells}
    place = 0
    while place < len(entries):
        if entries[place].grade_id in own and is_check(own[entries[place].grade_id]):
            below = [entry for entry in entries[place + 1 :] if entry.is_own and entry.source not in theirs]
            free = _missing_names(entries[:place], own) if below else set()
            for entry in below:
                if needed := names_of(entry.source).bound & free:
                    entries.remove(entry)
                    entries.insert(place, entry)
                    what = f"`{min(needed)}` stood below the check that needs it, in {entry.name}"
                    notes.append(f"{what}; that cell ran above it.")
                    break
        place += 1


def _missing_names(above: list[NotebookCell], own: Cells) -> set[str]:
    """The names that the answers among these cells need, and that none of these cells binds."""
    free: set[str] = set()
    bound = set(KNOWN)
    for entry in above:
        if entry.kind != "code":
            continue
        names = names_of(entry.source)
        bound |= names.bound
        if defined_names(entry.source) if entry.is_own else is_solution(own[entry.grade_id]):
            free |= names.free
    return free - bound


def _find_answers_by_position(entries: list[NotebookCell], assignment: Assignment) -> None:
    """Identify texts, and code that defines nothing, whose cells lost their metadata.

    Such an answer is the first cell of its kind between its two neighbours in the source.
    """
    own = assignment.cells
    sources = assignment.notebook.cells
    names = [nbgrader_settings(cell).get("grade_id", "") for cell in sources]
    plain = {trimmed(released(cell)) for cell, name in zip(sources, names, strict=True) if not name}
    for place, (name, cell) in enumerate(zip(names, sources, strict=True)):
        at = _places(entries)
        if not is_solution(cell) or name in at or (cell.cell_type == "code" and defined_names(cell.source)):
            continue
        text = trimmed(sources[place - 1].source) if place else ""
        above = [index for index, entry in enumerate(entries) if not entry.grade_id and trimmed(entry.source) == text]
        start = max([-1, *(at[other] for other in names[:place] if other in at), *(above if len(above) == 1 else ())])
        end = min((at[other] for other in names[place + 1 :] if other in at), default=len(entries))
        for index in range(start + 1, end):
            entry = entries[index]
            if not entry.grade_id and entry.kind == own[name].cell_type and trimmed(entry.source) not in plain:
                entries[index] = entry.owned(name)
                break


def _note_second_definitions(entries: list[NotebookCell], own: Cells, notes: list[str]) -> None:
    """Note answers that are defined again below their check, which does not see that definition."""
    names = list(own)
    at = _places(entries)
    for number, (name, cell) in enumerate(own.items()):
        wanted = defined_names(cell.source) if is_solution(cell) else frozenset()
        checked = min((at[later] for later in names[number + 1 :] if later in at), default=len(entries))
        for entry in entries[checked + 1 :] if wanted else ():
            if entry.is_own and wanted <= defined_names(entry.source):
                notes.append(
                    f"`{name}` is defined again in {entry.name}, below its check; the check saw the one above."
                )


def _find_words_elsewhere(entries: list[NotebookCell], assignment: Assignment, notes: list[str]) -> None:
    """Where a question is left as released, but the notebook has words that the release has not, say where.

    It is said in the answer's cell, too, which is then no longer as released, so that a person grades it.
    """
    own = assignment.cells
    at = _places(entries)
    for place, (name, cell) in enumerate(own.items()):
        if is_written_answer(cell) and name not in at:
            before = [at[other] for other in list(own)[:place] if other in at]
            entries.insert(max(before, default=-1) + 1, NotebookCell(cell.cell_type, released(cell), name))
            _note([name], "was missing; it was put back", "", notes)
            at = _places(entries)
    known = {""} | {_bare(line) for cell in assignment.notebook.cells for line in released(cell).splitlines()}
    new = [[line.strip() for line in _text(entry).splitlines() if _bare(line) not in known] for entry in entries]
    for place, (name, cell) in enumerate(own.items()):
        if not is_written_answer(cell) or new[at[name]]:
            continue
        above = max((at[other] for other in list(own)[:place] if other in at), default=-1)  # a name on top is no answer
        below = zip(new[above + 1 :], entries[above + 1 :], strict=True)
        first = [lines[0] for lines, entry in below if lines and not entry.grade_id]
        if first:
            shown = ", ".join(f"“{line[:40]}{'…' * (len(line) > 40)}”" for line in first[:3]) + ", …" * (len(first) > 3)
            said = f"The cell `{name}` is as released; a person will read what you wrote in other cells ({shown})."
            entries[at[name]] = replace(entries[at[name]], source=f"{released(cell)}\n\n{said}")
            notes.append(said)


def _text(entry: NotebookCell) -> str:
    """The words of a cell that is a text, a comment, or no Python."""
    names = names_of(entry.source)
    is_code = entry.kind == "code" and (names.bound - {"__doc__"} or names.free) and compiled(entry.source)
    return "" if is_code or entry.source.startswith("%%") else entry.source


def _bare(line: str) -> str:
    """The letters and digits of a line, "" for one without letters: converters change the rest."""
    return "".join(filter(str.isalnum, line)) if any(map(str.isalpha, line)) else ""
