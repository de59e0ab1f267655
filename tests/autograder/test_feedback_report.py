import json
from types import SimpleNamespace

import nbformat
import pytest
from nbconvert.filters import markdown2html
from nbgrader.api import Gradebook
from small_course import NAME, FakeJudge

from autograder.finding import Finding
from autograder.gradebook.learner_report import (
    LONGEST,
    CheckReport,
    Report,
    _check_report,
    _headings,
    read_report,
)
from autograder.gradebook.markdown import points_line, to_markdown
from autograder.gradebook.rows import Rows
from autograder.grading.grading_run import Run


@pytest.fixture
def report(course, hand_in, tmp_path):
    """Grades Ada's notebook, lets the instructor change the gradebook, and reads the report."""

    def report(text, by_hand=lambda gradebook: None):
        Run(course, tmp_path / "out", maker=FakeJudge, seed=1).grade(hand_in("ada", text))
        path = tmp_path / "out" / "autograded" / "ada" / NAME / f"{NAME}.ipynb"
        with Gradebook(f"sqlite:///{tmp_path / 'out' / 'gradebook.db'}") as gradebook:
            by_hand(gradebook)
            gradebook.db.commit()
            return read_report(nbformat.read(path, as_version=4), Rows(gradebook, NAME), "ada")

    return report


def make(**changes):
    checks = [
        CheckReport("one", 1.5, 2.0, "partial", finding=Finding(what="x", got="half")),
        CheckReport("two", 1, 1, "passed"),
    ]
    given = {"student": "ada", "assignment": "a", "status": "failed", "points": 2.5, "max_points": 3.0}
    rest = {"late_penalty": 0.0, "seconds_late": 0.0, "checks": checks, "comments": {}, "notes": []}
    return Report(**(given | rest | changes))


def test_the_fields_of_a_finding_are_in_the_record_and_its_sentence_too():
    finding = Finding("scorers.dot", "one sentence", "shape", "weights", "shape (3,)", "(batch=1, keys=3)", "name it")
    (told,) = make(checks=[CheckReport("one", 0, 2, "failed", finding=finding)]).record()["checks"]
    assert told["finding"]["mistake"] == "shape"
    assert told["finding"]["why"] == "name it"
    assert told["message"] == "weights (one sentence): shape (3,), expected (batch=1, keys=3); name it."


def test_the_message_of_a_check_is_in_the_report(report, solved):
    half = report(solved.replace("return x + x", "return x + x  # half right"))
    assert [check.message for check in half.checks] == ["half right"] * 3
    assert half.points == 2.25


def test_points_by_hand_count_and_say_so(report, solved):
    def by_hand(gradebook):
        gradebook.find_grade("double_right", NAME, NAME, "ada").manual_score = 0.5

    check = report(solved, by_hand).checks[0]
    assert (check.cell, check.points, check.status) == ("double_right", 0.5, "by hand")


def test_the_instructors_comment_is_in_the_report(report, solved):
    def by_hand(gradebook):
        gradebook.find_comment("double", NAME, NAME, "ada").manual_comment = "Neat."

    assert report(solved, by_hand).comments == {"double": "Neat."}


def test_a_hidden_check_is_described_and_not_shown(report, solved):
    hidden = report(solved).checks[-1]
    assert hidden.hidden
    assert hidden.about == "More sizes, which you do not see."
    assert "secret" not in json.dumps(report(solved).record())


def test_a_cell_that_was_stopped_is_named(report, solved):
    assert "double ran out of time." in report(solved.replace("return x + x", "return x  # loops")).notes


def test_repairs_are_told(report, solved):
    assert "byte order mark" in report("\ufeff" + solved).notes[0]


def test_a_penalty_never_takes_more_than_there_is():
    assert make(late_penalty=9.0).score == 0.0


def test_the_penalty_and_how_late_it_was_are_told():
    told = points_line(make(late_penalty=1.0, seconds_late=90_000.0))
    assert told == "1.5 of 3 points. 2.5 less a late penalty of 1 (1 day 1 hour late)."


def test_markdown_has_every_part_of_a_message():
    check = CheckReport(
        "one", 0, 2, "failed", "Other sizes.", Finding("", "", "", "scores", "1", "2", "the root is missing"), True
    )
    text = to_markdown(make(checks=[check]))
    for line in ("Other sizes.", "- looked at: scores", "- got: 1", "- expected: 2", "the root is missing"):
        assert line in text


def test_markdown_of_a_learner_is_text():
    evil = "<script>alert(1)</script> [a](javascript:b) *e* | x"
    checks = [CheckReport("one", 0, 2, "failed", finding=Finding(got=evil))]
    rendered = markdown2html(to_markdown(make(checks=checks, notes=[evil], comments={"one": evil})))
    assert "<script" not in rendered
    assert '<a href="javascript' not in rendered
    assert "<em>" not in rendered


def test_a_text_that_nobody_wrote_is_called_that():
    cell = nbformat.v4.new_markdown_cell("your words", metadata={"nbgrader": {"solution": True, "grade": True}})
    untouched = SimpleNamespace(score=0, max_score=2.0, manual_score=None, extra_credit=None, needs_manual_grade=False)
    check = _check_report("why", untouched, {}, cell, "")
    assert (check.status, check.message, check.finding.mistake) == ("not answered", "", "not_written")


WORDS = {"passed": 1.0, "failed": 0.0, "to be graded": 0.0, "not answered": 0.0, "by hand": 0.5}


@pytest.mark.parametrize(
    ("check", "answers", "said"),
    [
        ("passed", ["to be graded"], "Every check passed. An answer has yet to be graded."),
        ("failed", ["to be graded"] * 2, "Some checks did not pass. 2 answers have yet to be graded."),
        ("passed", ["not answered"], "Every check passed. A question is not answered."),
        ("passed", ["by hand"], "Every check passed."),
        ("failed", ["by hand"], "Some checks did not pass."),
        ("passed", [], "Every check passed."),
        (None, ["to be graded"], "An answer has yet to be graded."),
    ],
)
def test_what_a_person_reads_is_no_check_that_failed(check, answers, said):
    checks = [CheckReport("one", WORDS[check], 1, check)] if check else []
    checks += [CheckReport(f"why{number}", WORDS[of], 1, of, in_words=True) for number, of in enumerate(answers)]
    assert make(checks=checks).said == said


def test_the_exercise_is_called_by_its_name(report, solved):
    found = report(solved)
    assert (found.name, found.assignment) == ("Small", NAME)
    assert to_markdown(found).startswith("# Small: feedback for ada")


def test_a_check_is_called_by_its_task():
    cells = [
        nbformat.v4.new_code_cell("", metadata={"nbgrader": {"grade": True, "grade_id": "setup"}}),
        nbformat.v4.new_markdown_cell("# Scores\n\n## Task 1: the `dot` score #\n\nText."),
        nbformat.v4.new_code_cell("", metadata={"nbgrader": {"grade": True, "grade_id": "dot"}}),
        nbformat.v4.new_markdown_cell("No heading."),
        nbformat.v4.new_code_cell("", metadata={"nbgrader": {"grade": True, "grade_id": "more"}}),
        nbformat.v4.new_markdown_cell("# " + "x" * 500),
        nbformat.v4.new_code_cell("", metadata={"nbgrader": {"grade": True, "grade_id": "long"}}),
    ]
    found = _headings(nbformat.v4.new_notebook(cells=cells))
    assert [found[name] for name in ("setup", "dot", "more")] == ["", "Task 1: the dot score", "Task 1: the dot score"]
    assert len(found["long"]) == LONGEST
    assert CheckReport("dot", 1, 1, "passed", task=found["dot"]).title == "Task 1: the dot score"
    assert (
        CheckReport("dot", 1, 1, "passed", task=found["dot"], hidden=True).title
        == "Task 1: the dot score (hidden check)"
    )
    assert CheckReport("setup", 1, 1, "passed").title == "setup"
