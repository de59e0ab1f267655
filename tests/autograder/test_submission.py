"""What was handed in, as it is graded: the right file, read whatever wrote it, the instructor's cells put back."""

import json
import os

import nbformat
import pytest
from small_course import NAME

from autograder.submissions.reading import Unreadable, read_cells
from autograder.submissions.submission import Submission
from autograder.submissions.submitted_files import collected, handed_at


def code(source, **extra):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None} | extra


def text(source, **extra):
    return {"cell_type": "markdown", "source": source, "metadata": {}} | extra


def written(*cells, encoding="utf-8", **extra):
    content = {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | extra
    return json.dumps(content, ensure_ascii=encoding == "utf-8").encode(encoding)  # surrogates as escapes


NO_NOTEBOOK = [
    *((b"", "The file is empty"), (b"  \n", "The file is empty"), (b'{"cells": [', "cut off or changed by hand")),
    *((b"<!DOCTYPE html><html>", "it is a web page"), (b"PK\x03\x04rest", "archive")),
    *((b"To do: attention\n", "begins with a brace"), (b"[" * 200_000, "nested too deeply")),
    (b'{"cells": [\n<<<<<<< HEAD\n=======\n>>>>>>> mine\n]}', "while the merge is unfinished, by .git checkout --ours"),
    *((data, "not a notebook: it has no list of cells") for data in (b"[1, 2]", b'{"cells": 3}')),
    *((b'{"cells": [' + b"{}," * 3000 + b"{}]}", "more than the 2000"), (b"1" * 5000, "not a notebook|not JSON")),
]


def test_what_is_no_notebook_is_refused_with_the_reason():
    for data, reason in NO_NOTEBOOK:
        with pytest.raises(Unreadable, match=reason):
            read_cells(data)


OLD = {"nbformat": 3, "metadata": {}, "worksheets": [{"cells": [{"cell_type": "code", "input": ["a"]}]}]}
R, CONDA = ({"kernelspec": {"name": n, "language": of}} for n, of in (("ir", "R"), ("conda-env-dl-py", "python")))
E = "x = 'é'"
NOTED = {  # what the note says, or how it was written if nothing is noted: (what is read, the sources of its cells)
    "byte order mark": (written(code(E), encoding="utf-8-sig"), [E]),
    "UTF-16": (written(code(E), encoding="utf-16"), [E]),
    "Windows-1252": (written(code(E), encoding="latin-1"), [E]),
    "The notebook was in the old format 3; it was read as format 4.": (json.dumps(OLD).encode(), ["a"]),
    "format 9": (written(code("a"), nbformat=9), ["a"]),
    "The notebook asked for the kernel 'ir'; it was run with Python 3.": (written(code("a"), metadata=R), ["a"]),
    "Several cells had the same id; they were given new ones.": (written(*[code("a", id="x")] * 2), ["a", "a"]),
    "The file was a bare list of cells; it was read as a notebook.": (json.dumps([code("a")]).encode(), ["a"]),
}
NOT_NOTED = {
    "an environment of Python": (written(code("a"), metadata=CONDA), ["a"]),
    "lines that lost their ends": (written(code(["a = 1", "b = 2"])), ["a = 1\nb = 2"]),
    "lines with ends": (written(code(["a\n", "b"]), code(["a\x0c", "b"])), ["a\nb", "a\x0cb"]),
    "other ends of lines": (written(code(["a\u2028", "b"]), code("a\r\nb\rc")), ["a\u2028b", "a\nb\nc"]),
    "a text of Databricks": (written(code("%md\n# Title")), ["# Title"]),
}


@pytest.mark.parametrize("form", NOTED | NOT_NOTED)
def test_whatever_wrote_the_notebook_it_is_read_and_what_was_odd_is_noted(form):
    data, sources = (NOTED | NOT_NOTED)[form]
    cells, notes = read_cells(data)
    assert [cell.source for cell in cells] == sources
    assert len(notes) == (form in NOTED)
    assert form in NOT_NOTED or form in notes[0]


def test_cells_are_numbered_as_run_all_numbers_them_and_hold_no_half_characters_and_only_pictures():
    png, script = {"image/png": "iVBORw0KGgoAAAANSUhEUg=="}, {"image/png": '"><script>'}
    described = text("text", attachments={"a.png": png, "b": {"text/html": "<script>"}, "c": script})
    cells, notes = read_cells(written(code("a"), described, code(["b\n", "c"]), code("%md\nx")))
    numbers = [(cell.kind, cell.source, cell.number) for cell in cells]
    assert numbers[:3] == [("code", "a", 1), ("markdown", "text", 1), ("code", "b\nc", 2)]
    assert (cells[3].kind, notes) == ("markdown", [])
    assert cells[1].attachments == {"a.png": png}
    cells, _ = read_cells(json.dumps([code("x = '\ud800'")]).encode())
    cells[0].source.encode("utf-8")


def path_of(folder):
    return folder / "ada" / NAME / f"{NAME}.ipynb"


def test_students_come_by_name_the_notebook_with_the_right_name_counts_and_small_files_come_along(
    hand_in, assignment, solved
):
    hand_in("zoe", solved)
    hand_in("ada", "[]", name="scratch.ipynb")
    folder = hand_in("ada", "{}")
    (folder / "ben" / NAME).mkdir(parents=True)
    hand_in("zoe", "x = 1", name="mine.py")
    ada, ben, zoe = collected(folder)
    submission = Submission.read(zoe.data(), assignment)
    assert dict(submission.files) == {"mine.py": b"x = 1"}
    assert submission.notes == ("Files beside the notebook, available when it ran: 'mine.py'.",)
    assert [each.student for each in (ada, ben, zoe) if each.assignment == NAME] == ["ada", "ben", "zoe"]
    assert (ada.data(), ada.problem) == (b"{}", "")
    assert handed_at(path_of(folder), "ada") == ada  # what nbgrader reads
    assert ben.problem == "No notebook was handed in."


def test_links_are_not_followed_and_pipes_not_opened(hand_in, tmp_path):
    (tmp_path / "secret").write_text("of another student")
    folder = hand_in("ada", "{}")
    (folder / "ada" / NAME / "mine.py").symlink_to(tmp_path / "secret")
    assert collected(folder)[0].data() == b"{}"
    path_of(folder).unlink()
    path_of(folder).symlink_to(tmp_path / "secret")
    (handed,) = collected(folder)
    assert handed.path is None
    assert "is a link" in handed.problem
    path_of(folder).unlink()
    os.mkfifo(path_of(folder))
    assert collected(folder)[0].data() == b""


@pytest.fixture
def read(assignment, solved):
    """Reads the solved notebook after a change to its list of cells."""

    def read(change=lambda cells: None):
        notebook = json.loads(solved)
        change(notebook["cells"])
        return Submission.read(json.dumps(notebook).encode(), assignment)

    return read


def at(cells, name):
    return next(index for index, cell in enumerate(cells) if cell["id"] == name)


def put(name, **fields):
    return lambda cells: cells[at(cells, name)].update(fields)


def pop(name):
    return lambda cells: cells.pop(at(cells, name))


def move(name, place):
    return lambda cells: cells.insert(place, cells.pop(at(cells, name)))


def copy(name, place):
    return lambda cells: cells.insert(place, cells[at(cells, name)] | {"id": "other"})


RIGHT = ["setup", "double", "cell 3", "double_right", "halver", "halver_right", "halver_hidden"]
FOURTH = [name.replace("cell 3", "cell 4") for name in RIGHT]
BACK = ["setup", "double", "double_right", "cell 3", "halver", "halver_right", "halver_hidden"]
RAW = {"cell_type": "raw", "metadata": {"raw_mimetype": "text/html"}, "source": "<script>", "id": "r"}
FIRST = ["setup", "double"]
CHANGES = {  # what was done to the cells: (how, the order in which they run, the beginning of the note)
    "nothing": (lambda cells: None, RIGHT, ""),
    "a check is deleted": (pop("double_right"), BACK, "`double_right` was missing; it was put back."),
    "a given cell is deleted": (pop("setup"), FIRST, "`setup` was missing"),
    "a given cell is edited": (put("setup", source="import os"), [], "`setup` had been changed"),
    "a check moves above its answer": (
        move("halver_right", 0),
        FOURTH,
        "`halver_right` had been moved; it was put back",
    ),
    "a given cell moves to the end": (move("setup", 99), ["setup"], "`setup` had been moved"),
    "an answer moves to the end": (move("double", 99), [], None),
    "an answer is there twice": (copy("double", 3), ["setup", "cell 2", "double"], "`double` was there 2"),
    "a check is there twice": (copy("double_right", 99), RIGHT, None),
    "an answer is a text": (put("double", cell_type="markdown"), FIRST, "`double` was of type"),
}
ODD = [{"schema_version": 1, "grade_id": "double", "points": "many"}, "text", ["list"]]
CHANGES |= {
    f"odd settings {number}": (put("double", metadata={"nbgrader": settings, "tags": 3}), RIGHT, None)
    for number, settings in enumerate(ODD)
}


@pytest.mark.parametrize("change", CHANGES)
def test_cells_run_as_the_instructor_wrote_them_in_their_places_and_what_was_mended_is_noted(read, assignment, change):
    how, order, note = CHANGES[change]
    submission = read(how)
    ran = {cell.name: cell for cell in submission.job(0).cells}
    assert list(ran)[: len(order)] == order
    assert list(ran).index("double") < list(ran).index("double_right")
    assert {name for name in ran if not name.startswith("cell ")} == set(RIGHT) - {"cell 3"}
    for name in ("setup", *assignment.checks):
        assert ran[name].source == assignment.cells[name].source
    if note is not None:
        assert len(submission.notes) == bool(note)
        assert "".join(submission.notes).startswith(f"The cell {note}" if note else "")
    nbformat.validate(submission.notebook())
    again = Submission.read(nbformat.writes(submission.notebook()).encode(), assignment)
    assert [cell.source for cell in again.notebook().cells] == [cell.source for cell in submission.notebook().cells]
    assert again.notes == () or "twice" in change or "odd" in change


def test_a_job_has_the_imports_the_points_and_the_hidden_checks_and_a_raw_cell_cannot_become_html(read):
    job = read().job(0)
    assert (job.cells[-1].kind, job.cells[-1].max_points, job.imports) == ("check", 1.5, "import torch")
    assert [cell.name for cell in read().job(0, hidden=False).cells] == RIGHT[:-1]
    cell = read(lambda cells: cells.append(dict(RAW))).notebook().cells[-1]
    assert (cell.cell_type, cell.source) == ("markdown", "    <script>")
