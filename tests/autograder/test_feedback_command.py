import json
import shutil

import pytest
from nbgrader.api import Gradebook
from small_course import NAME, FakeJudge

from autograder.__main__ import main
from autograder.gradebook import rewrite_feedback
from autograder.gradebook.feedback import pages
from autograder.grading.grading_run import Run


@pytest.fixture(scope="module")
def graded_class(course, solved, blank, tmp_path_factory):
    """The output of grading Ada, who has solved all, and Ben, who has not begun."""
    top = tmp_path_factory.mktemp("class")
    for student, text in {"ada": solved, "ben": blank}.items():
        folder = top / "submitted" / student / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_text(text, encoding="utf-8")
    Run(course, top / "grades", maker=FakeJudge, seed=1).grade(top / "submitted")
    return top / "grades"


@pytest.fixture
def feedback(graded_class, tmp_path, capsys, monkeypatch):
    """Runs the command on a copy of the class → status, stdout, stderr."""
    shutil.copytree(graded_class, tmp_path / "grades")
    monkeypatch.chdir(tmp_path)

    def feedback(*arguments):
        status = main(["feedback", *arguments])
        return status, *capsys.readouterr()

    feedback.book = f"sqlite:///{tmp_path / 'grades' / 'gradebook.db'}"
    feedback.folder = tmp_path / "grades" / "feedback"
    return feedback


def told(feedback, student="ada"):
    feedback("--format", "json")
    return json.loads((feedback.folder / student / NAME / f"{NAME}.json").read_text(encoding="utf-8"))


def state(feedback):
    return {path: path.read_bytes() for path in sorted(feedback.folder.rglob("*.*"))}


def test_without_changes_it_writes_what_grading_wrote(feedback):
    before = state(feedback)
    shutil.rmtree(feedback.folder)
    assert feedback()[0] == 0
    assert state(feedback) == before
    assert len(before) == 2


def test_points_and_comments_by_hand_are_told_and_nothing_is_judged(feedback, monkeypatch):
    monkeypatch.setattr("autograder.judging.judge.Judge", None)
    with Gradebook(feedback.book) as gradebook:
        gradebook.find_grade("double_right", NAME, NAME, "ada").manual_score = 1.0
        gradebook.find_comment("double", NAME, NAME, "ada").manual_comment = "By addition: neat."
        gradebook.db.commit()
    assert feedback()[0] == 0
    assert (told(feedback)["score"], told(feedback)["comments"]["double"]) == (3.5, "By addition: neat.")
    page = (feedback.folder / "ada" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "3.5 of 4.5 points." in page
    assert "By addition: neat." in page


def test_the_next_grading_run_does_not_take_it_for_damage(feedback, graded_class, course):
    """Grades entered anew would be marked for grading by hand once more."""
    with Gradebook(feedback.book) as gradebook:
        grade = gradebook.find_grade("double_right", NAME, NAME, "ada")
        grade.manual_score, grade.needs_manual_grade = 1.0, False
        gradebook.db.commit()
    feedback()
    before = state(feedback)
    Run(course, feedback.folder.parent, maker=FakeJudge, seed=1).grade(graded_class.parent / "submitted")
    with Gradebook(feedback.book) as gradebook:
        assert not gradebook.find_grade("double_right", NAME, NAME, "ada").needs_manual_grade
    assert state(feedback) == before


def test_a_page_that_is_current_is_not_made_anew(feedback, monkeypatch):
    made = []

    def counted(notebook, report, kinds):
        made.append((report.student, *kinds))
        return pages(notebook, report, kinds)

    monkeypatch.setattr(rewrite_feedback, "pages", counted)
    before = state(feedback)
    assert feedback()[0] == 0
    assert (made, state(feedback)) == ([], before)
    with Gradebook(feedback.book) as gradebook:
        gradebook.find_comment("double", NAME, NAME, "ada").manual_comment = "Neat."
        gradebook.db.commit()
    (feedback.folder / "ben" / NAME / f"{NAME}.html").write_text("cut off")
    for _ in range(2):
        feedback()
    assert made == [("ada", "html"), ("ben", "html")]
    assert state(feedback)[feedback.folder / "ben" / NAME / f"{NAME}.html"] == list(before.values())[1]
    feedback("--format", "html")
    assert made[2:] == made[:2]


def test_one_student_and_one_format_alone(feedback):
    for kind in ("markdown", "json"):
        feedback("--format", kind)
    before = state(feedback)
    assert len(before) == 6
    with Gradebook(feedback.book) as gradebook:
        for student in ("ada", "ben"):
            gradebook.find_grade("double_right", NAME, NAME, student).manual_score = 1.5
        gradebook.db.commit()
    feedback("--student", "ben", "--format", "markdown")
    changed = [
        path.relative_to(feedback.folder).as_posix() for path, data in state(feedback).items() if before[path] != data
    ]
    assert changed == [f"ben/{NAME}/{NAME}.md"]
    feedback()  # what lies beside the pages does not grow old
    assert all(before[path] != data for path, data in state(feedback).items())


def test_programs_are_told_in_json(feedback):
    done = json.loads(feedback("--json")[1])
    assert done == {"written": [f"ada/{NAME}", f"ben/{NAME}"], "failed": {}}


def test_one_that_cannot_be_read_keeps_no_other_from_being_written(feedback):
    path = feedback.folder.parent / "autograded" / "ada" / NAME / f"{NAME}.ipynb"
    path.unlink()
    path.write_text("{", encoding="utf-8")
    shutil.rmtree(feedback.folder)
    status, _, err = feedback()
    assert status == 1
    assert err.splitlines()[-1].startswith(f"feedback: ada/{NAME}: ")
    assert told(feedback, "ben")["score"] == 0.0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--student", "nobody"), "nothing graded for nobody in grades; there is ada, ben."),
        (("--assignment", "99_none"), f"nothing graded for 99_none in grades; there is {NAME}."),
        (("--output", "elsewhere"), "there is no gradebook elsewhere/gradebook.db"),
    ],
)
def test_a_mistake_is_one_line_and_writes_nothing(feedback, arguments, said):
    before = state(feedback)
    status, out, err = feedback(*arguments)
    assert (status, out, state(feedback)) == (2, "", before)
    assert err.startswith(f"feedback: {said}")
    assert err.count("\n") == 1
