import json
from collections import Counter
from types import SimpleNamespace

import pytest

from benchmarks import class_of
from benchmarks.grading.answers import Exercise, TriedAnswer
from benchmarks.grading.classes import Generated, TooFewAnswers, generated, write
from benchmarks.grading.curves import STEPS, draw

NAME, TASKS = "04_lookup", ("weighted_sum_loop", "look_up")


@pytest.fixture
def exercise():
    """Two tasks, four answers to each; no check has seen them."""
    return Exercise(
        NAME,
        {
            task: [TriedAnswer(f"{task} {n}", f"# {task} {n}\n", 2.0 * (n < 2), n < 2) for n in range(4)]
            for task in TASKS
        },
    )


def test_no_two_learners_hand_in_the_same_work(exercise):
    submissions = list(generated([exercise], 15))
    finished = [one for one in submissions if one.kind not in ("blank", "broken")]
    works = {one.text.replace(str(json.loads(one.text)["cells"][0]["source"]), "") for one in finished}
    assert len(works) == len(finished) > 10
    assert len({one.student for one in submissions}) == 15


def test_the_same_number_is_the_same_class(exercise):
    assert list(generated([exercise], 8)) == list(generated([exercise], 8))


def test_points_are_those_of_the_answers(exercise):
    for one in generated([exercise], 15):
        right = sum(f"# {task} {n}" in one.text for task in TASKS for n in range(2))
        assert one.points == (0 if one.kind == "broken" else 2.0 * right)


def test_all_kinds_are_in_a_large_class():
    many = {f"task{t}": [TriedAnswer(f"{n}", f"# {n}\n", float(n < 3), n < 3) for n in range(12)] for t in range(6)}
    kinds = Counter(one.kind for one in generated([Exercise(NAME, many)], 400))
    assert min(kinds[kind] for kind in ("mixed", "half", "solved", "blank", "broken")) >= 2


def test_too_few_answers_are_told(exercise):
    with pytest.raises(TooFewAnswers, match="04_lookup: no more than"):
        list(generated([exercise], 500))


def test_each_notebook_lies_where_it_is_looked_for(exercise, tmp_path):
    written = write(tmp_path, generated([exercise], 3))
    assert sorted(written) == [path.name for path in sorted(tmp_path.iterdir())]
    assert all((tmp_path / name / NAME / f"{NAME}.ipynb").is_file() for name in written)


class Graded:
    """A gradebook of one learner, in the place of a real one."""

    def open(self):
        return self

    def __enter__(self):
        return SimpleNamespace()

    def __exit__(self, *exception):
        pass


@pytest.mark.parametrize("found", [[], [{"student": "ada", "code_score": 1.0}]], ids=["lost", "other points"])
def test_a_difference_is_told_with_the_learner(found, monkeypatch):
    monkeypatch.setattr(class_of, "submission_dicts", lambda gradebook, name: found)
    (line,) = class_of.wrong_points(Graded(), {"ada": Generated("ada", NAME, "solved", "", 2.0)})
    points = "1.0" if found else "None"
    assert line == f"ada (solved, 04_lookup): {points} points, expected 2"


def test_who_is_not_in_the_class_is_told_too(monkeypatch):
    monkeypatch.setattr(class_of, "submission_dicts", lambda gradebook, name: [{"student": "eve", "code_score": 1.0}])
    told = class_of.wrong_points(Graded(), {"ada": Generated("ada", NAME, "solved", "", 2.0)})
    assert told[0] == "eve: not in the class"


def test_wrong_answers_stand_side_by_side_only_if_neither_calls_the_other():
    """A mistake may undo another in what it calls."""
    turned = [TriedAnswer("kept", "def turned(x):\n    return x\n", 0.0, False)]
    joined = [
        TriedAnswer("turned again", "def joined(x):\n    return turned(x)\n", 0.0, False),
        TriedAnswer("right", "def joined(x):\n    return x\n", 2.0, True),
    ]
    first, second = TASKS
    (one,) = generated([Exercise(NAME, {first: turned, second: joined})], 1, kinds={"mixed": 1})
    assert one.points == 2.0


def test_the_curves_are_drawn(tmp_path):
    memory = {kind: {"peak": 1.0, "first_half": 1.0, "second_half": 1.0} for kind in ("grader", "all")}
    disk = {"gradebook": 0.1, "grades/": 1.0, "files": 3}
    rows = [
        {"submissions": n, "seconds": dict.fromkeys(STEPS, float(n)), "memory": memory, "megabytes": disk}
        for n in (10, 100)
    ]
    draw(rows, tmp_path / "new" / "curves.svg")
    assert "<svg" in (tmp_path / "new" / "curves.svg").read_text()
    assert class_of._slopes(rows) == dict.fromkeys(STEPS, 1.0)


@pytest.mark.sandbox
@pytest.mark.parametrize("options", [["--kills", "2"], ["--database", "postgres"]], ids=["killed", "postgres"])
def test_a_small_class_gets_what_it_deserves(options, tmp_path, capsys):
    report, picture = tmp_path / "report.json", tmp_path / "curves.svg"
    places = ["--json", str(report), "--plot", str(picture)]
    assert class_of.main(["4", "--assignment", NAME, "--workers", "1", *options, *places]) == 0
    (row,) = json.loads(report.read_text())["rows"]
    assert set(row["seconds"]) == set(STEPS)
    assert row["memory"]["judge"]["peak"] > 50
    assert row["megabytes"]["files"] >= 8
    assert row.get("kills", 0) <= 2
    assert "| submissions | grade, s |" in capsys.readouterr().out
    assert picture.is_file()
