"""Variants: two classes whose notebooks differ, each graded by its own; the instructor's record has the last word."""

import json
import shutil
from pathlib import Path

import pytest

from autograder.__main__ import main
from autograder.authoring import variants
from autograder.authoring.assignment import load
from autograder.authoring.build import sources
from autograder.authoring.variants import Record, answered, record, task_of, with_key
from autograder.errors import UsageError
from autograder.judging.judge import RetryingJudge
from autograder.submissions.submission import Submission

ROOT = Path(__file__).resolve().parents[2]
NAME = "01_batches"  # each of its tasks has two variants or more
CHECK = 'from autograder.tasks.scorers import check\n\ncheck("dot_scorer", DotScorer)'


@pytest.fixture
def course(tmp_path):
    """A course of one exercise, with the library beside it."""
    for folder in ("seq2seq", "autograder"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    (tmp_path / "solutions").mkdir()
    shutil.copy(ROOT / "solutions" / f"{NAME}.py", tmp_path / "solutions")
    return tmp_path


def keys_that_differ():
    """Two keys under which some task of the exercise takes another variant."""
    from autograder.tasks.batches import check

    chosen = {}
    for number in range(50):
        forms = tuple(task.chosen_by(f"class {number}").variant for task in check.tasks.values())
        chosen.setdefault(forms, f"class {number}")
    return list(chosen.values())[:2], check


def test_the_key_is_handed_on_to_the_check_and_nothing_else_changes():
    assert with_key(CHECK, "k'1") == CHECK[:-1] + ', key="k\'1")'
    assert with_key("x = 1", "k") == "x = 1"
    assert with_key('é = 1\ncheck(\n    "é",\n    a,\n)\n', "k") == "é = 1\ncheck(\n    \"é\",\n    a, key='k')\n"


def test_the_task_of_a_check_cell_is_found():
    assert task_of(CHECK).id == "scorers.dot_scorer"
    assert task_of("assert True") is None


def test_an_answer_is_written_as_its_variant_has_it():
    task = task_of(CHECK)
    cell = load(ROOT, "05_scorers").cells["dot_scorer"].source
    changed = answered(cell, task.of(task.variants[0].id))
    assert changed != cell
    assert changed.split("### BEGIN")[0] == cell.split("### BEGIN")[0]
    compile(changed, "<cell>", "exec")


def test_the_same_key_chooses_the_same_and_the_book_s_text_stays_without_one():
    assert sources(ROOT)[NAME] == sources(ROOT, key="")[NAME]
    (one, _), check = keys_that_differ()
    assert [task.chosen_by(one).variant for task in check.tasks.values()] == [
        task.chosen_by(one).variant for task in check.tasks.values()
    ]
    assert all(task.chosen_by("").variant == "" for task in check.tasks.values())


def test_every_text_that_a_variant_changes_stands_in_its_exercise():
    for number in range(12):
        sources(ROOT, key=f"class {number}")  # raises where one does not


def test_build_records_the_key_and_keeps_to_it(course, capsys):
    assert main(["build", "--root", str(course), "--variant", "autumn"]) == 0
    assert record(course).key == "autumn"
    released = (course / "exercises" / NAME / f"{NAME}.ipynb").read_text()
    assert "key='autumn'" in released
    assert json.loads(released)["metadata"]["course"]["variant"] == "autumn"
    assert main(["build", "--root", str(course), "--check"]) == 0
    assert main(["build", "--root", str(course), "--variant", "x7", "--for", "ada", "--output", str(course / "a")]) == 0
    assert record(course).of("ada") == "x7"
    assert record(course).of("ben") == "autumn"
    assert "key='x7'" in (course / "a" / NAME / f"{NAME}.ipynb").read_text()


@pytest.mark.parametrize("text", ["", "[]", '{"key": 1, "students": {}}', '{"key": "a/b", "students": {}}'])
def test_a_damaged_record_is_an_error_and_no_other_variant(tmp_path, text):
    (tmp_path / variants.FILE).write_text(text)
    with pytest.raises(UsageError, match=r"is damaged|is invalid"):
        record(tmp_path)


@pytest.mark.sandbox
@pytest.mark.timeout(600)
def test_each_class_is_graded_by_its_own_variants_and_the_other_s_answers_are_told_so(course):
    keys, check = keys_that_differ()
    assignments = {}
    for key in keys:
        Record(key).write(course)
        assignments[key] = load(course, NAME)
    differ = {
        name for name, task in check.tasks.items() if task.chosen_by(keys[0]).variant != task.chosen_by(keys[1]).variant
    }
    for own, other in (keys, keys[::-1]):
        with RetryingJudge(assignments[own], course) as judge:
            verdict = judge.verdict(Submission.read(assignments[own].text.encode(), assignments[own]), seed=3)
            assert [check.message for check in verdict.checks if check.points < check.max_points] == []
            verdict = judge.verdict(Submission.read(assignments[other].text.encode(), assignments[own]), seed=3)
        lost = {check.finding.task.partition(".")[2]: check for check in verdict.checks if check.points == 0}
        assert set(lost) == differ
        assert all("this is the answer to another variant of this task" in check.message for check in lost.values())
