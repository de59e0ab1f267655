"""Puts the cells in the order in which they run.

The learner's own cells keep their order; the instructor's are inserted where the source has them.
Two mistakes that go unnoticed in a long-running notebook are repaired: a definition below the check that needs it, and
an answer in the wrong cell.
"""

from nbformat import NotebookNode

from autograder.authoring.assignment import Assignment, defined_names, is_check, is_solution
from autograder.submissions.defined_names import KNOWN, names_of
from autograder.submissions.match_by_position import answers_by_position
from autograder.submissions.notebook_cell import NotebookCell

MAX_CODE = 500_000  # characters; in a longer notebook definitions below the checks are not searched for

Cells = dict[str, NotebookNode]  # grade id → the instructor's cell


def ordered(entries: list[NotebookCell], assignment: Assignment, notes: list[str]) -> list[NotebookCell]:
    """The entries in the order in which they run, including missing ones."""
    own = assignment.cells
    entries = _answers_in_place(entries, own, notes)
    entries = _locked_in_place(entries, own, notes)
    if sum(len(entry.source) for entry in entries) <= MAX_CODE:
        entries = _definitions_above_checks(entries, assignment, notes)
    entries = answers_by_position(entries, assignment)
    _note_second_definitions(entries, own, notes)
    return entries


def _answers_in_place(entries: list[NotebookCell], own: Cells, notes: list[str]) -> list[NotebookCell]:
    """Move an answer in one of the learner's own cells below its checks to where its cell would be."""
    for name, cell in own.items():
        if not is_solution(cell) or any(entry.grade_id == name for entry in entries):
            continue
        place = _provider(entries, name, cell)
        if place is None or not entries[place].is_own:
            continue
        answer = entries[place]
        above = [
            index for index, entry in enumerate(entries) if entry.grade_id and _is_after(entry.grade_id, name, own)
        ]
        if above and above[0] < place:
            entries = [*entries[:place], *entries[place + 1 :]]
            entries.insert(above[0], answer.owned(name))
            notes.append(f"The answer to `{name}` stood below its check, in {answer.name}; it was taken from there.")
        else:
            entries = [*entries[:place], answer.owned(name), *entries[place + 1 :]]
    return entries


def _is_after(one: str, other: str, own: Cells) -> bool:
    names = list(own)
    return names.index(one) > names.index(other)


def _provider(entries: list[NotebookCell], name: str, cell: NotebookNode) -> int | None:
    """Index of the answer: its own cell, else the last one that defines everything it should."""
    for index, entry in enumerate(entries):
        if entry.grade_id == name:
            return index
    wanted = defined_names(cell.source)
    for index in range(len(entries) - 1, -1, -1):
        if wanted and entries[index].kind == "code" and wanted <= defined_names(entries[index].source):
            return index
    return None


def _locked_in_place(entries: list[NotebookCell], own: Cells, notes: list[str]) -> list[NotebookCell]:
    """Put missing or misplaced locked cells back where the source has them."""
    names = list(own)
    position = {entry.grade_id: index for index, entry in enumerate(entries) if entry.grade_id}
    answers = _answers(entries, own)
    missing, misplaced = [], []
    for place, name in enumerate(names):
        if is_solution(own[name]):
            continue
        if name not in position:
            missing.append(name)
        elif is_check(own[name]):
            above = [answers.get(other, -1) for other in names[:place]]
            above += [position.get(other, -1) for other in names[:place] if is_check(own[other])]
            if max(above, default=-1) > position[name]:
                misplaced.append(name)
        elif any(answers.get(other, len(entries)) < position[name] for other in names[place + 1 :]):
            misplaced.append(name)
    _note(missing, "missing", "put back", notes)
    _note(misplaced, "moved", "put back in", notes)
    arranged = [entry for entry in entries if entry.grade_id not in misplaced]
    for place, name in enumerate(names):
        if name not in missing and name not in misplaced:
            continue
        index = {entry.grade_id: index for index, entry in enumerate(arranged) if entry.grade_id}
        index |= _answers(arranged, own)
        before = [index[other] for other in names[:place] if other in index]
        if before:
            target = 1 + (max(before) if is_check(own[name]) else before[-1])
        else:
            target = next((index[other] for other in names[place + 1 :] if other in index), 0)
        arranged.insert(target, NotebookCell(own[name].cell_type, own[name].source, name))
    return arranged


def _answers(entries: list[NotebookCell], own: Cells) -> dict[str, int]:
    """Grade id of an answer → its index."""
    found = {name: _provider(entries, name, cell) for name, cell in own.items() if is_solution(cell)}
    return {name: place for name, place in found.items() if place is not None}


def _note(names: list[str], what: str, done: str, notes: list[str]) -> None:
    had = "was" if what == "missing" else "had been"
    if len(names) == 1:
        notes.append(f"The cell `{names[0]}` {had} {what}; it was {done}{' its place' if done[-1] == 'n' else ''}.")
    elif names:
        had = "were" if what == "missing" else "had been"
        listed = ", ".join(f"`{name}`" for name in names[:3]) + (f" and {len(names) - 3} more" if names[3:] else "")
        notes.append(f"The cells {listed} {had} {what}; they were {done}{' their places' if done[-1] == 'n' else ''}.")


def _definitions_above_checks(
    entries: list[NotebookCell], assignment: Assignment, notes: list[str]
) -> list[NotebookCell]:
    """Move a learner's own cell above the check of an answer that needs it.

    Only for names that nothing above binds: without the repair the answer could only raise a NameError.
    """
    own = assignment.cells
    theirs = {cell.source for cell in assignment.notebook.cells}
    place = 0
    while place < len(entries):
        if entries[place].grade_id in own and is_check(own[entries[place].grade_id]):
            below = [entry for entry in entries[place + 1 :] if entry.is_own and entry.source not in theirs]
            entry, name = _needed(entries[:place], below, own)
            if entry is not None:
                entries.remove(entry)
                entries.insert(place, entry)
                notes.append(f"`{name}` stood below the check that needs it, in {entry.name}; that cell ran above it.")
        place += 1
    return entries


def _needed(above: list[NotebookCell], below: list[NotebookCell], own: Cells) -> tuple[NotebookCell | None, str]:
    """The first cell below that binds a name needed by the answers above, and the name."""
    if not below:
        return None, ""
    code = [entry for entry in above if entry.kind == "code"]
    answers = [
        entry for entry in code if (defined_names(entry.source) if entry.is_own else is_solution(own[entry.grade_id]))
    ]
    free = set().union(*(names_of(entry.source).free for entry in answers)) - KNOWN
    free -= set().union(*(names_of(entry.source).bound for entry in code))
    for entry in below:
        needed = sorted(names_of(entry.source).bound & free)
        if needed:
            return entry, needed[0]
    return None, ""


def _note_second_definitions(entries: list[NotebookCell], own: Cells, notes: list[str]) -> None:
    """Note answers that are defined again below their check, which does not see that definition."""
    names = list(own)
    first = {entry.grade_id: place for place, entry in reversed(list(enumerate(entries)))}
    for number, (name, cell) in enumerate(own.items()):
        wanted = defined_names(cell.source) if is_solution(cell) else frozenset()
        checked = min((first[later] for later in names[number + 1 :] if later in first), default=len(entries))
        for entry in entries[checked + 1 :] if wanted else ():
            if entry.is_own and wanted <= defined_names(entry.source):
                notes.append(
                    f"`{name}` is defined again in {entry.name}, below its check; the check saw the one above."
                )
