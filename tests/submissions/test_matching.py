import pytest
from honest import HONEST
from unusual.notebook import RELEASED, cell, prefixed, put, without_metadata


def entries(submission, grade_id):
    return [entry for entry in submission.entries if entry.grade_id == grade_id]


def own(submission):
    return [entry for entry in submission.entries if entry.is_own]


def test_what_was_added_to_a_given_cell_runs_below_it(read, exercise):
    submission = read(HONEST["imports_added_to_the_setup"])
    cells = submission.job(0).cells
    assert cells[0].source == exercise.cells["setup"].source
    assert "import torch.nn.functional as F" in cells[1].source
    assert "yours ran beside it" in submission.notes[0]


def test_what_was_added_to_a_check_runs_above_it(read, exercise):
    def change(notebook):
        return prefixed(notebook, "dot_scorer_visible", "mine = DotScorer()\n")

    cells = read(change).job(0).cells
    place = next(index for index, cell in enumerate(cells) if cell.name == "dot_scorer_visible")
    assert cells[place].source == exercise.cells["dot_scorer_visible"].source
    assert cells[place - 1].source.startswith("mine = DotScorer()")


def test_a_check_that_was_only_made_to_say_something_else_does_not_run_beside(read):
    def change(notebook):
        cell(notebook, "dot_scorer_visible")["source"] = "print('all fine')"
        return notebook

    submission = read(change)
    assert not any("all fine" in cell.source for cell in submission.job(0).cells)
    assert submission.notes == ("The cell `dot_scorer_visible` had been changed; the instructor's version was used.",)


@pytest.mark.parametrize("name", ["blank_copy_kept_below", "blank_copy_kept_at_the_end"])
def test_a_blank_copy_of_an_answer_does_not_run(read, name):
    submission = read(HONEST[name])
    assert "bmm" in entries(submission, "dot_scorer")[0].source
    assert not any("not written yet" in entry.source for entry in submission.entries)
    assert submission.notes == ()


def test_an_answer_left_blank_stays(read):
    def change(notebook):
        cell(notebook, "dot_scorer")["source"] = RELEASED["dot_scorer"]
        return notebook

    assert "not written yet" in entries(read(change), "dot_scorer")[0].source


@pytest.mark.parametrize(
    "name", ["merged_into_the_setup", "merged_into_a_check", "merged_downwards", "everything_in_one_cell"]
)
def test_an_answer_merged_into_another_cell_is_not_lost(read, name):
    submission = read(HONEST[name])
    assert any("class DotScorer" in cell.source for cell in submission.job(0).cells if cell.kind == "code")


def test_code_fenced_in_a_text_is_code(read):
    submission = read(HONEST["answer_fenced_in_markdown"])
    assert entries(submission, "attend")[0].source.startswith("def attend(")


def test_of_several_versions_without_metadata_the_last_above_the_check_is_the_answer(read):
    def change(notebook):
        HONEST["broken_versions_kept_above"](notebook)
        put(notebook, "class DotScorer(Scorer):\n    pass", after="dot_scorer_hidden")
        return without_metadata(notebook)

    submission = read(change)
    assert "bmm" in entries(submission, "dot_scorer")[0].source
    assert "was there 3 times" in submission.notes[0]


EDITORS = ["colab", "vs_code", "jupyterlab_4", "kaggle", "deepnote", "databricks", "format_2", "format_3", "format_4_0"]


@pytest.mark.parametrize("name", [*EDITORS, "no_metadata_and_no_ids", "one_id_for_all", "ids_with_blanks"])
def test_every_cell_is_found_again(read, exercise, name):
    submission = read(HONEST[name])
    assert [entry.grade_id for entry in submission.entries if entry.grade_id] == list(exercise.cells)
