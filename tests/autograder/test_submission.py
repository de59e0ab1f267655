import json

import nbformat
import pytest

from autograder.submissions.submission import Submission


@pytest.fixture
def read(assignment, solved):
    """Reads the solved notebook after a change to its list of cells."""

    def read(change=lambda cells: None, **extra):
        notebook = json.loads(solved)
        change(notebook["cells"])
        return Submission.read(json.dumps({**notebook, **extra}).encode(), assignment)

    return read


def names(submission):
    return [cell.name for cell in submission.job(0).cells]


RIGHT = ["setup", "double", "cell 3", "double_right", "halver", "halver_right", "halver_hidden"]


def at(cells, name):
    return next(index for index, cell in enumerate(cells) if cell["id"] == name)


def test_cells_come_in_the_notebooks_order(read):
    assert names(read()) == RIGHT
    assert read().notes == ()


def test_checks_are_the_instructors_hidden_tests_included(read, assignment):
    check = read().job(0).cells[-1]
    assert (check.kind, check.max_points) == ("check", 1.5)
    assert check.source == assignment.cells["halver_hidden"].source


def test_hidden_checks_can_be_left_out(read):
    assert [cell.name for cell in read().job(0, hidden=False).cells] == RIGHT[:-1]


def test_imports_of_the_given_cells_go_with_the_job(read):
    assert read().job(0).imports == "import torch"


def test_a_deleted_check_is_put_back_and_noted(read):
    submission = read(lambda cells: cells.pop(at(cells, "double_right")))
    assert names(submission) == ["setup", "double", "double_right", "cell 3", "halver", "halver_right", "halver_hidden"]
    assert submission.notes == ("The cell `double_right` was missing; it was put back.",)


def test_a_deleted_given_cell_is_put_back_before_what_needs_it(read):
    submission = read(lambda cells: cells.pop(at(cells, "setup")))
    assert names(submission)[:2] == ["setup", "double"]


def test_an_edited_check_is_the_instructors_again(read, assignment):
    def change(cells):
        cells[at(cells, "double_right")]["source"] = "pass"

    submission = read(change)
    assert submission.job(0).cells[3].source == assignment.cells["double_right"].source
    assert submission.notes == ("The cell `double_right` had been changed; the instructor's version was used.",)


def test_an_edited_given_cell_is_the_instructors_again(read):
    def change(cells):
        cells[at(cells, "setup")]["source"] = "import os"

    assert read(change).job(0).cells[0].source == "import torch"


def test_a_check_moved_above_its_answer_goes_back(read):
    submission = read(lambda cells: cells.insert(0, cells.pop(at(cells, "halver_right"))))
    assert names(submission) == [name.replace("cell 3", "cell 4") for name in RIGHT]
    assert submission.notes == ("The cell `halver_right` had been moved; it was put back in its place.",)


def test_a_given_cell_moved_to_the_end_goes_back(read):
    submission = read(lambda cells: cells.append(cells.pop(at(cells, "setup"))))
    assert names(submission)[0] == "setup"


def test_an_answer_moved_down_takes_its_checks_along(read):
    submission = read(lambda cells: cells.append(cells.pop(at(cells, "double"))))
    order = names(submission)
    assert order.index("double") < order.index("double_right")


def test_of_an_answer_twice_both_run_and_the_last_counts(read):
    submission = read(lambda cells: cells.insert(3, {**cells[at(cells, "double")], "id": "other"}))
    assert names(submission)[1:3] == ["cell 2", "double"]
    assert "was there 2 times" in submission.notes[0]


def test_a_second_copy_of_a_check_is_left_out(read):
    submission = read(lambda cells: cells.append({**cells[at(cells, "double_right")], "id": "copy"}))
    assert names(submission) == RIGHT


def test_cells_without_metadata_are_known_by_what_they_hold(read):
    def change(cells):
        for number, cell in enumerate(cells):
            cell["metadata"] = {}
            cell["id"] = f"n{number}"

    submission = read(change)
    assert names(submission) == RIGHT
    assert submission.notes == ()


def test_an_answer_turned_into_text_is_code_again(read):
    def change(cells):
        cell = cells[at(cells, "double")]
        cell["cell_type"] = "markdown"

    submission = read(change)
    assert "double" in names(submission)
    assert "was of type markdown" in submission.notes[0]


@pytest.mark.parametrize("settings", [{"schema_version": 1, "grade_id": "double", "points": "many"}, "text", ["list"]])
def test_odd_settings_of_a_cell_are_not_believed(read, settings):
    def change(cells):
        cells[at(cells, "double")]["metadata"] = {"nbgrader": settings, "tags": 3}

    submission = read(change)
    assert names(submission) == RIGHT
    nbformat.validate(submission.notebook())


def test_a_raw_cell_cannot_become_html(read):
    raw = {"cell_type": "raw", "metadata": {"raw_mimetype": "text/html"}, "source": "<script>", "id": "r"}
    notebook = read(lambda cells: cells.append(raw)).notebook()
    assert notebook.cells[-1].cell_type == "markdown"
    assert notebook.cells[-1].source == "    <script>"


def test_the_mended_notebook_mends_to_itself(read, assignment):
    first = read(lambda cells: cells.pop(at(cells, "double_right")))
    again = Submission.read(nbformat.writes(first.notebook()).encode(), assignment)
    assert [cell.source for cell in again.notebook().cells] == [cell.source for cell in first.notebook().cells]
    assert again.notes == ()


def test_an_unreadable_submission_is_the_blank_exercise_without_points(assignment, blank):
    submission = Submission.read(b"{", assignment)
    verdict = submission.unreadable_verdict(seed=3)
    assert (verdict.status, verdict.points, verdict.max_points) == ("unreadable", 0, 4.5)
    assert "not JSON" in verdict.notes[-1]
    sources = [cell.source for cell in submission.notebook().cells if "nbgrader" not in cell.metadata]
    assert sources == ["# Small", "double(torch.ones(2))"]
    nbformat.validate(submission.notebook())
