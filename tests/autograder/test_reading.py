import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autograder.submissions.reading import Unreadable, read_cells


def notebook(*cells, **extra):
    return {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": 5} | extra


def code(source, **extra):
    return {"cell_type": "code", "source": source, "metadata": {}, "outputs": [], "execution_count": None} | extra


def read(content, encoding="utf-8"):
    text = json.dumps(content, ensure_ascii=encoding == "utf-8")  # lone surrogates go through as escapes
    return read_cells(text.encode(encoding))


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "The file is empty"),
        (b"  \n", "The file is empty"),
        (b'{"cells": [', "cut off or changed by hand"),
        (b"<!DOCTYPE html><html>", "it is a web page"),
        (b"PK\x03\x04rest", "archive"),
        (b"To do: attention\n", "begins with a brace"),
        (b'{"cells": [\n<<<<<<< HEAD\n=======\n>>>>>>> mine\n]}', "unfinished git merge"),
        (b"[1, 2]", "not a notebook: it has no list of cells"),
        (b'{"cells": 3}', "not a notebook: it has no list of cells"),
        (b"[" * 200_000, "nested too deeply"),
        (b'{"cells": [' + b"{}," * 3000 + b"{}]}", "more than the 2000"),
        (b"1" * 5000, "not a notebook|not JSON"),
    ],
)
def test_what_is_no_notebook_is_refused_with_the_reason(data, reason):
    with pytest.raises(Unreadable, match=reason):
        read_cells(data)


def test_code_cells_are_numbered_as_run_all_numbers_them():
    text = {"cell_type": "markdown", "source": "text", "metadata": {}}
    cells, notes = read(notebook(code("a"), text, code(["b\n", "c"])))
    assert [(cell.kind, cell.source, cell.number) for cell in cells] == [
        ("code", "a", 1),
        ("markdown", "text", 1),
        ("code", "b\nc", 2),
    ]
    assert notes == []


@pytest.mark.parametrize(
    ("encoding", "word"), [("utf-8-sig", "byte order mark"), ("utf-16", "UTF-16"), ("latin-1", "Windows-1252")]
)
def test_other_encodings_are_read_and_noted(encoding, word):
    cells, notes = read(notebook(code("x = 'é'")), encoding)
    assert cells[0].source == "x = 'é'"
    assert word in notes[0]


def test_the_old_format_is_read_and_noted():
    old = {"nbformat": 3, "metadata": {}, "worksheets": [{"cells": [{"cell_type": "code", "input": ["a"]}]}]}
    cells, notes = read(old)
    assert [cell.source for cell in cells] == ["a"]
    assert notes == ["The notebook was in the old format 3; it was read as format 4."]


def test_a_future_format_is_read_and_noted():
    cells, notes = read(notebook(code("a"), nbformat=9))
    assert [cell.source for cell in cells] == ["a"]
    assert "format 9" in notes[0]


def test_another_kernel_is_noted():
    _, notes = read(notebook(code("a"), metadata={"kernelspec": {"name": "ir", "language": "R"}}))
    assert notes == ["The notebook asked for the kernel 'ir'; it was run with Python 3."]


def test_an_environment_of_python_is_no_other_kernel():
    _, notes = read(notebook(code("a"), metadata={"kernelspec": {"name": "conda-env-dl-py", "language": "python"}}))
    assert notes == []


def test_the_same_id_twice_is_noted():
    _, notes = read(notebook(code("a", id="x"), code("b", id="x")))
    assert notes == ["Several cells had the same id; they were given new ones."]


def test_a_bare_list_of_cells_is_a_notebook():
    cells, notes = read_cells(json.dumps([code("a")]).encode())
    assert [cell.source for cell in cells] == ["a"]
    assert notes == ["The file was a bare list of cells; it was read as a notebook."]


def test_lines_that_lost_their_ends_are_lines_still():
    cells, _ = read(notebook(code(["a = 1", "b = 2"])))
    assert cells[0].source == "a = 1\nb = 2"


@pytest.mark.parametrize("end", ["\n", "\x0c", "\u2028"])
def test_lines_that_kept_their_ends_are_joined_as_they_are(end):
    cells, _ = read(notebook(code([f"a{end}", "b"])))
    assert cells[0].source == f"a{end}b"


def test_line_ends_are_plain():
    cells, _ = read(notebook(code("a\r\nb\rc")))
    assert cells[0].source == "a\nb\nc"


def test_a_text_in_a_code_cell_of_databricks_is_a_text():
    cells, _ = read(notebook(code("%md\n# Title")))
    assert (cells[0].kind, cells[0].source) == ("markdown", "# Title")


def test_half_characters_do_not_reach_a_file():
    cells, _ = read_cells(json.dumps(notebook(code("x = '\ud800'"))).encode())
    cells[0].source.encode("utf-8")


def test_attachments_are_pictures_or_nothing():
    png = "iVBORw0KGgoAAAANSUhEUg=="
    cell = {"cell_type": "markdown", "source": "", "metadata": {}}
    cell["attachments"] = {
        "a.png": {"image/png": png},
        "b": {"text/html": "<script>"},
        "c": {"image/png": '"><script>'},
    }
    cells, _ = read(notebook(cell))
    assert cells[0].attachments == {"a.png": {"image/png": png}}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["cells", "cell_type", "source", "metadata", "nbgrader", "grade_id", "attachments", "id", "x"]
            ),
            inner,
            max_size=5,
        )
    ),
    max_leaves=25,
)
cell_types = st.sampled_from(["code", "markdown", "raw", "heading", None, 3])
odd_cells = st.dictionaries(st.sampled_from(["source", "metadata", "attachments", "id", "input"]), json_values).flatmap(
    lambda cell: st.builds(lambda kind: {**cell, "cell_type": kind}, cell_types)
)


@given(st.binary(max_size=200) | json_values.map(lambda value: json.dumps(value).encode()))
def test_any_bytes_are_read_or_refused(data):
    with suppress(Unreadable):
        read_cells(data)


@given(st.lists(odd_cells, max_size=6), json_values)
def test_odd_cells_are_read(cells, metadata):
    plain, _ = read(notebook(*cells, metadata=metadata), "utf-8")
    assert all(cell.kind in ("code", "markdown", "raw") and isinstance(cell.source, str) for cell in plain)
