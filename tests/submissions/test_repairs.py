"""Every cell is found again, an answer wherever it stands, and what an answer needs runs above its check."""

import pytest
from notebook_changes import at, blanked, edited, in_turn, prefixed, put, without_metadata
from unusual import BROKEN, EDITORS, HONEST, NEEDS_HELPER, with_a_helper


def answers(submission, grade_id):
    return [entry.source for entry in submission.entries if entry.grade_id == grade_id]


def order(submission):
    return [cell.name for cell in submission.job(0).cells]


def name_of(submission, cell):
    """A grade id itself, or the name of the learner's own cell that holds the words."""
    if cell in order(submission):
        return cell
    return next(entry.name for entry in submission.entries if not entry.grade_id and cell in entry.source)


WHOLE = [name for name in (*EDITORS, "format 2", "format 4.0") if name != "metadata that is a text"]
BELOW = [f"{what} below the checks" for what in ("helper", "constant", "import")] + ["helper at the very end"]


def test_every_cell_is_found_again_whatever_wrote_the_notebook(read, exercise):
    ids = {name: [entry.grade_id for entry in read(HONEST[name]).entries if entry.grade_id] for name in WHOLE}
    assert ids == {name: list(exercise.cells) for name in WHOLE}


def test_what_was_added_to_a_given_cell_runs_below_it_to_a_check_above_it_and_what_only_says_so_not_at_all(
    read, exercise
):
    submission = read(HONEST["imports added to the setup"])
    given, added, *_ = submission.job(0).cells
    assert given.source == exercise.cells["setup"].source
    assert "import torch.nn.functional as F" in added.source
    assert "yours ran beside it" in submission.notes[0]

    cells = read(prefixed("dot_scorer_visible", "mine = DotScorer()\n")).job(0).cells
    index = [cell.name for cell in cells].index("dot_scorer_visible")
    assert cells[index].source == exercise.cells["dot_scorer_visible"].source
    assert cells[index - 1].source.startswith("mine = DotScorer()")
    submission = read(edited("dot_scorer_visible", lambda before: "print('all fine')"))
    assert not any("all fine" in cell.source for cell in submission.job(0).cells)


@pytest.mark.parametrize("name", ["blank copy below", "blank copy at the end", "answer in a new cell above"])
def test_the_blank_cell_of_an_answer_that_is_there_does_not_run_but_one_left_blank_stays(read, name):
    assert "not written yet" in answers(read(blanked("dot_scorer")), "dot_scorer")[0]
    submission = read(HONEST[name])
    assert "bmm" in answers(submission, "dot_scorer")[0]
    assert not any("not written yet" in cell.source for cell in submission.job(0).cells)
    if "copy" in name:
        assert not any("not written yet" in entry.source for entry in submission.entries)
        assert submission.notes == ()


def is_before(submission, above, below):
    return order(submission).index(name_of(submission, above)) < order(submission).index(below)


def test_that_something_stood_below_the_check_that_needs_it_is_noted_and_of_all_answers_at_once_once(read):
    for name in BELOW:
        (note,) = read(HONEST[name]).notes
        assert "stood below the check that needs it" in note, name
    assert len(read(HONEST["all answers at the end"]).notes) == 1
    assert is_before(read(HONEST["answer in the cell of another"]), "scaled_dot_scorer", "dot_scorer_visible")


def test_what_the_needed_cell_needs_itself_comes_along_and_checks_keep_their_order_though_an_answer_is_gone(read):
    helper = put("def lowest_of(scores):\n    return far_below(scores)", after="attend_hidden")
    of_helper = put("def far_below(scores):\n    return -1e9", after="attend_hidden")
    submission = read(in_turn(NEEDS_HELPER, helper, of_helper))
    assert is_before(submission, "def far_below", "masked_softmax_visible")

    def change(notebook):
        notebook["cells"].insert(1, notebook["cells"].pop(at(notebook, "attend_visible")))
        notebook["cells"].pop(at(notebook, "attend"))
        return notebook

    assert is_before(read(change), "masked_softmax_hidden", "attend_visible")


@pytest.mark.parametrize(
    "source", ["weights = 3", "scores = values = 1", "sum = 3", "torch = None", "def compare(): pass", "x = scores"]
)
def test_cells_that_no_answer_needs_stay_where_they_are(read, source):
    submission = read(put(source, after="attend_hidden"))
    names = order(submission)
    assert names[names.index("attend_hidden") + 1] == name_of(submission, source)
    assert submission.notes == ()


def test_an_answer_below_its_check_is_taken_from_there_but_no_huge_notebook_is_searched_and_it_is_told_in_a_line(read):
    below = put("class DotScorer(Scorer):\n    pass", after="dot_scorer_hidden")
    submission = read(in_turn(HONEST["broken versions above"], below, without_metadata))
    assert "bmm" in answers(submission, "dot_scorer")[0]  # of several versions the last above the check
    assert "was there 3 times" in submission.notes[0]
    submission = read(HONEST["answer in a new cell below the checks"])
    (answer,) = answers(submission, "dot_scorer")
    assert "bmm" in answer
    others = put(BROKEN.format(0), after="dot_scorer_hidden"), HONEST["all checks deleted"]
    assert [submission.notes, *(read(other).notes for other in others)] == [
        ("The answer to `dot_scorer` stood below its check, in cell 16; it was taken from there.",),
        ("`dot_scorer` is defined again in cell 16, below its check; the check saw the one above.",),
        (
            "The cells `weighted_sum_loop_visible`, `weighted_sum_loop_hidden`, `weighted_sum_visible` and 17 more "
            "were missing; they were put back.",
        ),
    ]
    huge = put("# " + "x" * 600_000, before="dot_scorer")
    assert read(in_turn(huge, with_a_helper(after="attend_hidden"))).notes == ()
