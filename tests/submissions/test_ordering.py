import pytest
from honest import HONEST
from unusual.moved import with_a_helper
from unusual.notebook import at, put


def order(submission):
    return [cell.name for cell in submission.job(0).cells]


def before(submission, first, second):
    names = order(submission)
    return names.index(first) < names.index(second)


def own_cell(submission, words):
    """The name of the learner's own cell that holds the words."""
    return next(entry.name for entry in submission.entries if not entry.grade_id and words in entry.source)


HELPERS = ["helper_below_the_checks", "helper_at_the_very_end", "constant_below_the_checks", "import_below_the_checks"]


@pytest.mark.parametrize("name", HELPERS)
def test_what_an_answer_needs_runs_above_its_check(read, name):
    submission = read(HONEST[name])
    words = {"constant_below_the_checks": "LOWEST =", "import_below_the_checks": "as F"}.get(name, "def lowest_of")
    assert before(submission, own_cell(submission, words), "masked_softmax_visible")
    assert len(submission.notes) == 1
    assert "stood below the check that needs it" in submission.notes[0]


def test_what_the_needed_cell_needs_itself_comes_along(read):
    def change(notebook):
        helper = "def lowest_of(scores):\n    return far_below(scores)"
        with_a_helper(notebook, after="attend_hidden")
        notebook["cells"][at(notebook, "attend_hidden") + 1]["source"] = helper
        return put(notebook, "def far_below(scores):\n    return -1e9", after="attend_hidden")

    submission = read(change)
    assert before(submission, own_cell(submission, "def far_below"), "masked_softmax_visible")


@pytest.mark.parametrize(
    "source", ["weights = 3", "scores = values = 1", "sum = 3", "torch = None", "def compare(): pass", "x = scores"]
)
def test_cells_that_no_answer_needs_stay_where_they_are(read, source):
    submission = read(lambda notebook: put(notebook, source, after="attend_hidden"))
    names = order(submission)
    assert names[names.index("attend_hidden") + 1] == own_cell(submission, source)
    assert submission.notes == ()


def test_an_answer_in_another_cell_below_its_check_is_read_from_there(read):
    submission = read(HONEST["answer_in_a_new_cell_below_the_checks"])
    answers = [entry.source for entry in submission.entries if entry.grade_id == "dot_scorer"]
    assert len(answers) == 1
    assert "bmm" in answers[0]
    assert submission.notes == (
        "The answer to `dot_scorer` stood below its check, in cell 16; it was taken from there.",
    )


def test_an_answer_above_its_blank_cell_is_not_undone_by_it(read):
    submission = read(HONEST["answer_in_a_new_cell_above"])
    assert not any("not written yet" in cell.source for cell in submission.job(0).cells)


def test_an_answer_in_the_cell_of_another_holds_its_check_back(read):
    submission = read(HONEST["answer_in_the_cell_of_another"])
    assert before(submission, "scaled_dot_scorer", "dot_scorer_visible")


def test_a_second_definition_below_the_check_is_told(read):
    again = "class DotScorer(Scorer):\n    pass"
    submission = read(lambda notebook: put(notebook, again, after="dot_scorer_hidden"))
    assert submission.notes == (
        "`dot_scorer` is defined again in cell 16, below its check; the check saw the one above.",
    )


def test_many_repairs_of_one_kind_are_one_note(read):
    submission = read(HONEST["all_checks_deleted"])
    assert submission.notes == (
        "The cells `weighted_sum_loop_visible`, `weighted_sum_loop_hidden`, `weighted_sum_visible` and 17 more "
        "were missing; they were put back.",
    )


def test_answers_moved_to_the_end_take_their_checks_along(read):
    submission = read(HONEST["all_answers_at_the_end"])
    assert before(submission, "attend", "attend_visible")
    assert len(submission.notes) == 1


def test_checks_keep_their_order_though_an_answer_is_gone(read):
    def change(notebook):
        notebook["cells"].insert(1, notebook["cells"].pop(at(notebook, "attend_visible")))
        notebook["cells"].pop(at(notebook, "attend"))
        return notebook

    submission = read(change)
    assert before(submission, "masked_softmax_hidden", "attend_visible")


def test_a_huge_notebook_is_not_searched_for_definitions(read):
    def change(notebook):
        put(notebook, "# " + "x" * 600_000, before="dot_scorer")
        return with_a_helper(notebook, after="attend_hidden")

    assert read(change).notes == ()
