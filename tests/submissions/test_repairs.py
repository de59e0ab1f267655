"""Every cell is found again, an answer wherever it stands, and what an answer needs runs above its check."""

import pytest
from unusual import BROKEN, EDITORS, HONEST, RELEASED, at, find, prefixed, put, with_a_helper, without_metadata


def answers(submission, grade_id):
    return [entry.source for entry in submission.entries if entry.grade_id == grade_id]


def order(submission):
    return [cell.name for cell in submission.job(0).cells]


def is_before(submission, first, second):
    return order(submission).index(first) < order(submission).index(second)


def own_cell(submission, words):
    """The name of the learner's own cell that holds the words."""
    return next(entry.name for entry in submission.entries if not entry.grade_id and words in entry.source)


WHOLE = [*EDITORS, "format 2", "format 3", "format 4.0"]
WHOLE.remove("metadata that is a text")


def test_every_cell_is_found_again_whatever_wrote_the_notebook(read, exercise):
    found = {name: [entry.grade_id for entry in read(HONEST[name]).entries if entry.grade_id] for name in WHOLE}
    assert found == {name: list(exercise.cells) for name in WHOLE}


def test_what_was_added_to_a_given_cell_runs_below_it_and_to_a_check_above_it(read, exercise):
    submission = read(HONEST["imports added to the setup"])
    given, added, *_ = submission.job(0).cells
    assert given.source == exercise.cells["setup"].source
    assert "import torch.nn.functional as F" in added.source
    assert "yours ran beside it" in submission.notes[0]

    cells = read(lambda notebook: prefixed(notebook, "dot_scorer_visible", "mine = DotScorer()\n")).job(0).cells
    place = [cell.name for cell in cells].index("dot_scorer_visible")
    assert cells[place].source == exercise.cells["dot_scorer_visible"].source
    assert cells[place - 1].source.startswith("mine = DotScorer()")


def test_a_check_that_was_only_made_to_say_something_else_does_not_run_beside(read):
    def change(notebook):
        find(notebook, "dot_scorer_visible")["source"] = "print('all fine')"
        return notebook

    submission = read(change)
    assert not any("all fine" in cell.source for cell in submission.job(0).cells)
    assert submission.notes == ("The cell `dot_scorer_visible` had been changed; the instructor's version was used.",)


@pytest.mark.parametrize("name", ["blank_copy_kept_below", "blank_copy_kept_at_the_end"])
def test_a_blank_copy_of_an_answer_does_not_run(read, name):
    submission = read(HONEST[name])
    assert "bmm" in answers(submission, "dot_scorer")[0]
    assert not any("not written yet" in entry.source for entry in submission.entries)
    assert submission.notes == ()


def test_an_answer_left_blank_stays(read):
    def change(notebook):
        find(notebook, "dot_scorer")["source"] = RELEASED["dot_scorer"]
        return notebook

    assert "not written yet" in answers(read(change), "dot_scorer")[0]


@pytest.mark.parametrize(
    "name", ["merged into the setup", "merged into a check", "merged downwards", "everything in one cell"]
)
def test_an_answer_merged_into_another_cell_is_not_lost(read, name):
    cells = read(HONEST[name]).job(0).cells
    assert any("class DotScorer" in cell.source for cell in cells if cell.kind == "code")


def test_code_fenced_in_a_text_is_code(read):
    assert answers(read(HONEST["answer_fenced_in_markdown"]), "attend")[0].startswith("def attend(")


def test_of_several_versions_without_metadata_the_last_above_the_check_is_the_answer(read):
    def change(notebook):
        HONEST["broken versions above"](notebook)
        return without_metadata(put(notebook, "class DotScorer(Scorer):\n    pass", after="dot_scorer_hidden"))

    submission = read(change)
    assert "bmm" in answers(submission, "dot_scorer")[0]
    assert "was there 3 times" in submission.notes[0]


NEEDED = {
    "helper below the checks": "def lowest_of",
    "helper at the very end": "def lowest_of",
    "constant below the checks": "LOWEST =",
    "import below the checks": "as F",
}


@pytest.mark.parametrize("name", NEEDED)
def test_what_an_answer_needs_runs_above_its_check(read, name):
    submission = read(HONEST[name])
    assert is_before(submission, own_cell(submission, NEEDED[name]), "masked_softmax_visible")
    (note,) = submission.notes
    assert "stood below the check that needs it" in note


def test_what_the_needed_cell_needs_itself_comes_along(read):
    def change(notebook):
        with_a_helper(notebook, after="attend_hidden")
        helper = "def lowest_of(scores):\n    return far_below(scores)"
        notebook["cells"][at(notebook, "attend_hidden") + 1]["source"] = helper
        return put(notebook, "def far_below(scores):\n    return -1e9", after="attend_hidden")

    submission = read(change)
    assert is_before(submission, own_cell(submission, "def far_below"), "masked_softmax_visible")


@pytest.mark.parametrize(
    "source", ["weights = 3", "scores = values = 1", "sum = 3", "torch = None", "def compare(): pass", "x = scores"]
)
def test_cells_that_no_answer_needs_stay_where_they_are(read, source):
    submission = read(lambda notebook: put(notebook, source, after="attend_hidden"))
    names = order(submission)
    assert names[names.index("attend_hidden") + 1] == own_cell(submission, source)
    assert submission.notes == ()


def test_an_answer_in_another_cell_below_its_check_is_read_from_there(read):
    submission = read(HONEST["answer in a new cell below the checks"])
    (answer,) = answers(submission, "dot_scorer")
    assert "bmm" in answer
    assert submission.notes == (
        "The answer to `dot_scorer` stood below its check, in cell 16; it was taken from there.",
    )


def test_an_answer_above_its_blank_cell_is_not_undone_by_it(read):
    submission = read(HONEST["answer in a new cell above"])
    assert not any("not written yet" in cell.source for cell in submission.job(0).cells)


def test_a_check_waits_for_its_answer_in_the_cell_of_another_or_at_the_end(read):
    submission = read(HONEST["answer_in_the_cell_of_another"])
    assert is_before(submission, "scaled_dot_scorer", "dot_scorer_visible")
    submission = read(HONEST["all answers at the end"])
    assert is_before(submission, "attend", "attend_visible")
    assert len(submission.notes) == 1


def test_a_second_definition_below_the_check_is_told(read):
    again = BROKEN.format(0)
    submission = read(lambda notebook: put(notebook, again, after="dot_scorer_hidden"))
    assert submission.notes == (
        "`dot_scorer` is defined again in cell 16, below its check; the check saw the one above.",
    )


def test_many_repairs_of_one_kind_are_one_note(read):
    assert read(HONEST["all checks deleted"]).notes == (
        "The cells `weighted_sum_loop_visible`, `weighted_sum_loop_hidden`, `weighted_sum_visible` and 17 more "
        "were missing; they were put back.",
    )


def test_checks_keep_their_order_though_an_answer_is_gone(read):
    def change(notebook):
        notebook["cells"].insert(1, notebook["cells"].pop(at(notebook, "attend_visible")))
        notebook["cells"].pop(at(notebook, "attend"))
        return notebook

    assert is_before(read(change), "masked_softmax_hidden", "attend_visible")


def test_a_huge_notebook_is_not_searched_for_definitions(read):
    def change(notebook):
        put(notebook, "# " + "x" * 600_000, before="dot_scorer")
        return with_a_helper(notebook, after="attend_hidden")

    assert read(change).notes == ()
