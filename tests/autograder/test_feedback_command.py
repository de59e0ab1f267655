"""``feedback`` tells what people changed in the gradebook, and judges nothing; lateness costs what the course says."""

import json
import shutil
from pathlib import Path
from unittest.mock import Mock

import pytest
import small_course
from small_course import NAME, FakeJudge, hand_in_all

from autograder.__main__ import main
from autograder.assignments import build
from autograder.gradebook import rewrite_feedback
from autograder.gradebook.feedback import fresh_folder, pages
from autograder.grading.grading_run import Run
from tests.gradebooks import dump, opened

DUE, LATE, IN_TIME = "2026-11-20 12:00:00 UTC", "2026-11-20 13:30:00 UTC", "2026-11-20 11:59:00 UTC"


@pytest.fixture(scope="module")
def graded_class(course, solved, blank, tmp_path_factory):
    """The output of grading Ada, who has solved all, and Ben, who has not begun."""
    top = tmp_path_factory.mktemp("class")
    Run(course, top / "grades", maker=FakeJudge, seed=1).grade(hand_in_all(top, {"ada": solved, "ben": blank}))
    return top / "grades"


@pytest.fixture
def feedback(course, graded_class, tmp_path, capsys, monkeypatch):
    """Runs the command on a copy of the class → status, stdout, stderr."""
    shutil.copytree(graded_class, tmp_path / "grades")
    monkeypatch.chdir(tmp_path)

    def feedback(*arguments):
        return main(["feedback", "--root", str(course), *arguments]), *capsys.readouterr()

    feedback.output, feedback.folder = tmp_path / "grades", tmp_path / "grades" / "feedback"
    return feedback


def change(output, student="ada", points=1.0, comment="", **marks):
    """Points, and a comment, by hand."""
    with opened(output) as gradebook:
        grade = gradebook.find_grade("double_right", NAME, NAME, student)
        for field, value in {"manual_score": points, **marks}.items():
            setattr(grade, field, value)
        if comment:
            gradebook.find_comment("double", NAME, NAME, student).manual_comment = comment


def json_report(output):
    assert main(["feedback", "--output", str(output), "--format", "json"]) == 0
    return json.loads((output / "feedback" / "ada" / NAME / f"{NAME}.json").read_text(encoding="utf-8"))


def state(feedback):
    return {path: path.read_bytes() for path in sorted(feedback.folder.rglob("*.*"))}


def test_points_and_comments_by_hand_are_told_and_nothing_is_judged(feedback, monkeypatch):
    before = state(feedback)
    shutil.rmtree(feedback.folder)
    assert feedback()[0] == 0
    assert state(feedback) == before  # without changes it writes what grading wrote
    assert len(before) == 2
    monkeypatch.setattr("autograder.judging.judge.Judge", None)
    change(feedback.output, comment="By addition: neat.")
    assert feedback()[0] == 0
    report = json_report(feedback.output)
    assert (report["score"], report["comments"]["double"]) == (3.5, "By addition: neat.")
    assert [report["checks"][0][field] for field in ("cell", "points", "status")] == ["double_right", 1.0, "by hand"]
    page = (feedback.folder / "ada" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert [words for words in ("3.5 of 4.5 points.", "By addition: neat.") if words not in page] == []


def test_the_next_grading_run_does_not_take_points_by_hand_for_damage(feedback, graded_class, course):
    change(feedback.output, needs_manual_grade=False)
    feedback()
    before = state(feedback)
    Run(course, feedback.output, maker=FakeJudge, seed=1).grade(graded_class.parent / "submitted")
    assert state(feedback) == before
    with opened(feedback.output) as gradebook:  # grades entered anew would be marked for grading by hand
        assert not gradebook.find_grade("double_right", NAME, NAME, "ada").needs_manual_grade


def test_a_page_that_is_current_is_not_made_anew(feedback, monkeypatch):
    written = []

    def counted(notebook, report, kinds):
        written.append((report.student, *kinds))
        return pages(notebook, report, kinds)

    monkeypatch.setattr(rewrite_feedback, "pages", counted)
    before = state(feedback)
    assert feedback()[0] == 0
    assert (written, state(feedback)) == ([], before)
    change(feedback.output, comment="Neat.")
    (feedback.folder / "ben" / NAME / f"{NAME}.html").write_text("cut off")
    for _ in range(2):
        feedback()
    assert written == [("ada", "html"), ("ben", "html")]
    assert state(feedback)[feedback.folder / "ben" / NAME / f"{NAME}.html"] == list(before.values())[1]
    feedback("--format", "html")
    assert written[2:] == written[:2]


def test_one_student_and_one_format_alone(feedback):
    for kind in ("markdown", "json"):
        feedback("--format", kind)
    before = state(feedback)
    assert len(before) == 6
    for student in ("ada", "ben"):
        change(feedback.output, student, 1.5)
    feedback("--student", "ben", "--format", "markdown")
    changed = [path.relative_to(feedback.folder) for path, data in state(feedback).items() if before[path] != data]
    assert changed == [Path(f"ben/{NAME}/{NAME}.md")]
    feedback()  # what lies beside the pages does not grow old
    assert all(before[path] != data for path, data in state(feedback).items())


def test_programs_are_told_in_json_and_one_that_cannot_be_read_keeps_no_other_from_being_written(feedback):
    assert json.loads(feedback("--json")[1]) == {"written": [f"ada/{NAME}", f"ben/{NAME}"], "failed": {}}
    path = feedback.output / "autograded" / "ada" / NAME / f"{NAME}.ipynb"
    path.unlink()
    path.write_text("{", encoding="utf-8")
    shutil.rmtree(feedback.folder)
    status, _, err = feedback("--format", "json")
    assert status == 1
    assert err.splitlines()[-1].startswith(f"feedback: ada/{NAME}: ")
    assert [path.name for path in feedback.folder.rglob("*.json")] == [f"{NAME}.json"]


def test_a_page_that_cannot_be_written_is_named_in_words(feedback):
    page = feedback.folder / "ada" / NAME / f"{NAME}.html"
    page.unlink()
    page.mkdir()
    status, _, err = feedback()
    assert (status, "Errno" in err) == (1, False)
    where = page.relative_to(feedback.output.parent)
    assert f"feedback: ada/{NAME}: {where}: expected a file, found a folder" in err
    shutil.rmtree(page.parent)


def test_a_folder_that_cannot_be_made_anew_is_named_and_not_a_file_in_it(tmp_path, monkeypatch):
    refusal = Mock(side_effect=PermissionError(13, "Permission denied", "page.html"))
    monkeypatch.setattr("shutil.rmtree", refusal)
    with pytest.raises(PermissionError, match=str(tmp_path)):
        fresh_folder(tmp_path)


ZERO = 'c.LateSubmissionPlugin.penalty_method = "zero"\n'


@pytest.fixture
def late(solved, tmp_path):
    """Grades Ada, who was late, and Ben, who was not, under a configuration → what the gradebook says of them."""
    root = small_course.make(tmp_path / "course")
    build.build(root)
    folder = hand_in_all(tmp_path, {"ada": solved, "ben": solved}, ada=LATE, ben=IN_TIME)

    def late(config="", due=DUE):
        (root / "nbgrader_config.py").write_text(f"c = get_config()\n{config}", encoding="utf-8")
        job = Run(root, tmp_path / "out", maker=FakeJudge, seed=1)
        if not (tmp_path / "out").exists():
            job.grade(folder)
        if due:
            with opened(tmp_path / "out") as gradebook:
                gradebook.update_or_create_assignment(NAME, duedate=due)
        assert all(submission.reused for submission in job.grade(folder))
        book = dump(tmp_path / "out" / "gradebook.db")
        return [book[f"{NAME}/{student}"]["penalties"] for student in ("ada", "ben")]

    return late


def test_another_rule_date_or_extension_counts_without_judging_anew_and_is_told(late, tmp_path):
    out = tmp_path / "out"
    assert late(ZERO, due="") == [[None], [None]]
    assert late() == [[None], [None]]  # without a rule late work costs nothing and is called late
    assert (json_report(out)["score"], json_report(out)["seconds_late"]) == (4.5, 5400.0)
    assert late(ZERO) == [[4.5], [None]]
    assert (json_report(out)["points"], json_report(out)["score"]) == (4.5, 0.0)
    page = (out / "feedback" / "ada" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "4.5 less a late penalty of 4.5 (1 hour 30 minutes late: handed in " in page
    with opened(out) as gradebook:
        gradebook.grant_extension(NAME, "ada", hours=2)
    assert late(ZERO) == [[None], [None]]
    assert json_report(out)["score"] == 4.5


def test_lateness_costs_of_the_points_by_hand_too_and_a_new_rule_asks_nobody_to_give_them_again(late, tmp_path):
    def graded_by_hand():
        with opened(out) as gradebook:
            grade = gradebook.find_grade("double_right", NAME, NAME, "ada")
            return grade.manual_score, grade.needs_manual_grade

    out = tmp_path / "out"
    assert late(ZERO) == [[4.5], [None]]
    change(out, needs_manual_grade=False)
    assert main(["feedback", "--root", str(tmp_path / "course"), "--output", str(out)]) == 0
    assert dump(out / "gradebook.db")[f"{NAME}/ada"]["penalties"] == [3.5]
    page = out / "feedback" / "ada" / NAME / f"{NAME}.html"
    assert "3.5 less a late penalty of 3.5" in page.read_text(encoding="utf-8")
    assert (late(), graded_by_hand()) == ([[None], [None]], (1.0, False))
    change(out, points=0.5, needs_manual_grade=False)
    assert (late(ZERO), graded_by_hand()) == ([[3.0], [None]], (0.5, False))
    assert "3 less a late penalty of 3" in page.read_text(encoding="utf-8")
    change(out, points=1.0, needs_manual_grade=False)
    assert late(ZERO) == [[3.5], [None]]  # by `grade` alone
    assert "3.5 less a late penalty of 3.5" in page.read_text(encoding="utf-8")
    shutil.rmtree(out / "feedback")
    assert (late(ZERO), graded_by_hand(), page.is_file()) == ([[3.5], [None]], (1.0, False), True)
