"""A class may have variants of the tasks, chosen by its key: in the exercises, in their checks, in grading."""

import json
import shutil
from itertools import product

import pytest
from small_course import ROOT

from autograder.__main__ import main
from autograder.assignments import variants
from autograder.assignments.assignment import is_check, load, released
from autograder.assignments.build import sources
from autograder.assignments.variants import VariantKeys, answered, record, task_of, with_key
from autograder.errors import UsageError
from autograder.judging.judge import RetryingJudge
from autograder.settings import SAMPLES
from autograder.submissions.submission import Submission
from autograder.tasks.batches import check

WITH_VARIANTS = "01_batches"  # each of its tasks has two variants or more
CHECK = 'from autograder.tasks.scorers import check\n\ncheck("dot_scorer", DotScorer)'


@pytest.fixture
def course_with_variants(tmp_path):
    """A course of one exercise, with the library beside it."""
    for folder in ("seq2seq", "autograder"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    (tmp_path / "solutions").mkdir()
    shutil.copy(ROOT / "solutions" / f"{WITH_VARIANTS}.py", tmp_path / "solutions")
    return tmp_path


@pytest.mark.parametrize("key", ["autumn-2026", "a", "b", "c", "d", "e", "f", "x7"])
def test_a_classs_key_changes_nothing_of_the_sample(course_with_variants, key):
    root, sample = course_with_variants, "00_attention"
    (root / SAMPLES.parent).symlink_to(ROOT / SAMPLES.parent)
    VariantKeys(key, {"ada": f"{key} 2"}).write(root)
    assert [load(root, sample, student).text for student in ("", "ada")] == [load(ROOT, sample).text] * 2


def chosen(key):
    """The variants that the exercise's tasks take under a key."""
    return tuple(task.chosen_by(key).variant for task in check.tasks.values())


def keys_that_differ():
    """Two keys under which some task of the exercise takes another variant."""
    return list({chosen(f"class {number}"): f"class {number}" for number in range(50)}.values())[:2]


def test_the_key_is_handed_on_to_the_check_whose_task_it_chooses_and_nothing_else_changes():
    assert with_key(CHECK, "k'1") == CHECK[:-1] + ', key="k\'1")'
    assert with_key("x = 1", "k") == "x = 1"
    assert with_key('é = 1\ncheck(\n    "é",\n    a,\n)\n', "k") == "é = 1\ncheck(\n    \"é\",\n    a, key='k')\n"
    assert task_of("assert True") is None
    task = task_of(CHECK)
    assert task.id == "scorers.dot_scorer"
    cell = load(ROOT, "05_scorers").cells["dot_scorer"].source
    changed = answered(cell, task.of(task.variants[0].id))  # an answer as its variant has it
    assert changed != cell
    assert changed.split("### BEGIN")[0] == cell.split("### BEGIN")[0]
    compile(changed, "<cell>", "exec")


@pytest.mark.parametrize("count", [3, pytest.param(12, marks=pytest.mark.long("every seed"))])
def test_every_text_that_a_variant_changes_stands_in_its_exercise(count):
    for number in range(count):
        sources(ROOT, key=f"class {number}")  # raises where one does not


def test_the_key_alone_chooses_build_records_it_and_keeps_to_it_and_a_damaged_record_is_an_error(
    course_with_variants, tmp_path, capsys
):
    root = course_with_variants
    first, other = keys_that_differ()
    assert chosen(first) == chosen(first) != chosen(other)
    assert set(chosen("")) == {""}
    assert sources(root) == sources(root, key="")
    assert main(["build", "--root", str(root), "--variant", "autumn"]) == 0
    assert record(root).key == "autumn"
    released = (root / "exercises" / WITH_VARIANTS / f"{WITH_VARIANTS}.ipynb").read_text()
    assert "key='autumn'" in released
    assert json.loads(released)["metadata"]["course"]["variant"] == "autumn"
    assert main(["build", "--root", str(root), "--check"]) == 0
    assert main(["build", "--root", str(root), "--variant", "x7", "--for", "ada", "--output", str(root / "a")]) == 0
    assert (record(root).of("ada"), record(root).of("ben")) == ("x7", "autumn")
    assert "key='x7'" in (root / "a" / WITH_VARIANTS / f"{WITH_VARIANTS}.ipynb").read_text()
    kept = record(root)
    for line, keys in {
        "spring": "the class has the key 'autumn': with the key 'spring', `grade` would",
        "": "the class has the key 'autumn': with no key, `grade` would",
        "x8 --for ada --output b": "ada has the key 'x7': with the key 'x8'",
    }.items():
        assert main(["build", "--root", str(root), "--variant", *line.split(" ")]) == 2
        assert keys in (message := capsys.readouterr().err)
        assert f"in {root / variants.FILE} and run this again" in message
    assert record(root) == kept
    (root / variants.FILE).unlink()
    (root / "grades").mkdir()
    (root / "grades" / "state.db").touch()
    assert main(["build", "--root", str(root), "--variant", "spring"]) == 2
    assert '{"key": "spring", "students": {}} into' in capsys.readouterr().err
    assert not (root / variants.FILE).exists()
    kept.write(root)
    assert main(["build", "--root", str(root), "--variant", "autumn"]) == 0
    others = ('{"key": "a", "students": []}', '{"key": "a"}')
    for text in ("", "[]", '{"key": 1, "students": {}}', '{"key": "a/b", "students": {}}', *others):
        (tmp_path / variants.FILE).write_text(text)
        with pytest.raises(UsageError, match=r"is damaged|is invalid"):
            record(tmp_path)


def handed_out(assignment):
    """With its checks as learners get them: of a hidden one the comment alone."""
    notebook = json.loads(assignment.text)
    for cell in notebook["cells"]:
        if cell["id"] in assignment.cells and is_check(assignment.cells[cell["id"]]):
            cell["source"] = released(assignment.cells[cell["id"]])
    return json.dumps(notebook).encode()


def test_a_notebook_of_another_variant_is_said_to_be_one_and_none_of_its_cells_to_have_been_changed(
    course_with_variants,
):
    assignments = {}
    for key in ("", "autumn", "x7"):
        VariantKeys(key).write(course_with_variants)
        assignments[key] = load(course_with_variants, WITH_VARIANTS)
    sources = {key: handed_out(assignment) for key, assignment in assignments.items()}
    notes = {pair: Submission.read(sources[pair[0]], assignments[pair[1]]).notes for pair in product(sources, sources)}
    text = "The notebook is {}; it was graded as one {}, whose tasks may differ. Was the wrong one downloaded?"
    kinds = {key: f"of variant `{key}`" if key else "without a variant" for key in sources}
    expected = {pair: (text.format(*map(kinds.get, pair)),) if len(set(pair)) > 1 else () for pair in notes}
    assert notes == expected


@pytest.mark.sandbox
@pytest.mark.long("every way to grade")
def test_each_class_is_graded_by_its_own_variants_and_the_other_s_answers_are_told_so(course_with_variants):
    keys = keys_that_differ()
    assignments = {}
    for key in keys:
        VariantKeys(key).write(course_with_variants)
        assignments[key] = load(course_with_variants, WITH_VARIANTS)
    differ = {name for name, *pair in zip(check.tasks, *map(chosen, keys), strict=True) if pair[0] != pair[1]}
    for key, other in (keys, keys[::-1]):
        with RetryingJudge(assignments[key], course_with_variants) as judge:
            verdict = judge.verdict(Submission.read(assignments[key].text.encode(), assignments[key]), seed=3)
            assert [check.message for check in verdict.checks if check.points < check.max_points] == []
            verdict = judge.verdict(Submission.read(assignments[other].text.encode(), assignments[key]), seed=3)
        lost = {check.finding.task.partition(".")[2]: check for check in verdict.checks if check.points == 0}
        assert set(lost) == differ
        assert all("this would be right if the task " in check.message for check in lost.values())
