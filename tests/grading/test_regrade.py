import json
import re
import shutil
from contextlib import closing
from dataclasses import replace

import pytest
from small_course import NAME, FakeJudge

from autograder.finding import Finding
from autograder.grading.grading_run import Run
from autograder.store.state import GradedCopies, State
from autograder.store.verdicts import Store
from tests.gradebooks import dump, opened

SEED = 7


class Stricter(FakeJudge):
    """As if the last check asked for more."""

    got = "not this time"

    def run(self, job):
        verdict = super().run(job)
        last = replace(verdict.checks[-1], points=0.0, status="failed", finding=Finding(got=self.got))
        return replace(verdict, status="failed", checks=[*verdict.checks[:-1], last])


@pytest.fixture(scope="module")
def graded(course, tmp_path_factory, solved):
    """The output of a graded class of three, whose submissions are gone: right, called by another name, none at all."""
    folder = tmp_path_factory.mktemp("graded")
    for file in (f"ada/{NAME}/{NAME}.ipynb", f"ben/{NAME}/mine.ipynb", f"cas/{NAME}/notes.pdf"):
        path = folder / "submitted" / file
        path.parent.mkdir(parents=True)
        path.write_text(solved, encoding="utf-8")
    Run(course, folder / "out", maker=FakeJudge, seed=SEED).grade(folder / "submitted")
    shutil.rmtree(folder / "submitted")
    return folder / "out"


@pytest.fixture
def output(graded, tmp_path):
    return shutil.copytree(graded, tmp_path / "grades")


@pytest.fixture
def regrade(command, output):
    return lambda *arguments, judge=FakeJudge: command("regrade", "--workers", "1", *arguments, judge=judge)


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def copies(output):
    with closing(State(output)) as state:
        return {copy.student: copy.data() for copy, _ in GradedCopies(state).copies()}


def test_the_same_seed_and_checks_give_the_same_verdicts_without_the_submissions(regrade):
    submissions = json.loads(regrade("--dry-run", "--json")[1])["submissions"]
    regraded = [(work["student"], work["same"], work["seed"], work["changes"]) for work in submissions]
    assert regraded == [(student, True, SEED, []) for student in ("ada", "ben", "cas")]


def test_what_changed_is_told_check_by_check_and_written(regrade, output):
    status, out, _ = regrade("--json", "--student", "ada", judge=Stricter)
    (work,) = json.loads(out)["submissions"]
    assert status == 0
    assert (work["student"], work["points"], work["why"]) == ("ada", [4.5, 3.0], [])
    assert work["changes"] == [{"check": "halver_hidden", "before": 1.5, "after": 0.0}]
    book = dump(output / "gradebook.db")
    assert [book[f"{NAME}/{student}"]["score"] for student in ("ada", "ben")] == [3.0, 4.5]
    assert "not this time" in (output / "feedback" / "ada" / NAME / f"{NAME}.html").read_text("utf-8")


def test_regrading_twice_is_regrading_once_and_copies_and_what_an_instructor_entered_by_hand_outlive_it(
    regrade, output
):
    with opened(output) as gradebook:
        gradebook.find_grade("double_right", NAME, NAME, "ada").manual_score = 1.0
        gradebook.find_grade("halver_hidden", NAME, NAME, "ada").extra_credit = 0.5
        gradebook.find_comment("double", NAME, NAME, "ada").manual_comment = "Well put."
    before = copies(output)
    assert len(before) == 3
    for _ in range(2):
        _, out, _ = regrade(judge=Stricter)
        assert copies(output) == before
    assert "3 judged again: 3 identical byte for byte" in out
    with opened(output) as gradebook:
        assert gradebook.find_grade("double_right", NAME, NAME, "ada").score == 1.0
        assert gradebook.find_comment("double", NAME, NAME, "ada").comment == "Well put."
        assert gradebook.find_submission(NAME, "ada").score == 1.0 + 1.0 + 0.5  # with the extra credit


def test_other_checks_and_versions_are_told_as_the_reason_and_an_unknown_verdict_is_judged_all_the_same(
    regrade, output, rows
):
    def why(*options):
        (work,) = json.loads(regrade("--json", "--dry-run", "--student", "ada", *options)[1])["submissions"]
        return "; ".join(work["why"])

    with Store(output) as store:
        for key in store.all_keys():
            then = store.circumstances(key)
            then = replace(then, versions=then.versions | {"torch": "1.0"}, checks="0" * 64)
            store.put(key, store.get(key), then)
    assert re.fullmatch("different checks; torch 1.0 → [^;]+; different seed", why("--seed", "8"))
    rows("DELETE FROM verdict")
    assert why() == "its earlier verdict is unknown"


def test_the_table_has_a_row_for_each_change_and_dry_run_writes_nothing(regrade, output):
    before = files(output)
    status, out, err = regrade("--dry-run", judge=Stricter)
    assert status == 0
    assert [line.split()[:6] for line in out.splitlines()[2:4]] == [
        ["ada", NAME, "halver_hidden", "1.5", "→", "0"],
        ["ben", NAME, "halver_hidden", "1.5", "→", "0"],
    ]
    assert "3 judged again: 1 identical byte for byte, 2 with different results." in out
    assert "nothing was written" in out
    assert "3/3" in err
    assert files(output) == before


def test_a_check_that_only_says_something_else_is_told_as_that(regrade):
    class Wordy(Stricter):
        got = "in other words"

    regrade("--student", "ada", judge=Stricter)
    _, out, _ = regrade("--student", "ada", "--dry-run", judge=Wordy)
    assert out.splitlines()[2].split()[3:8] == ["0", "→", "0", "message", "only;"]


def test_grades_without_a_copy_are_named_and_the_status_is_1(regrade, rows):
    rows("DELETE FROM entry WHERE student = 'ben'")
    status, _, err = regrade("--dry-run")
    assert status == 1
    assert err.splitlines()[-1] == f"regrade: in the gradebook, but without a copy to judge: ben/{NAME}; use `grade`."


def test_at_no_moment_is_there_no_copy(course, solved, hand_in, tmp_path, monkeypatch):
    """A grading that is killed while it takes a newer file leaves the older: a regrade finds no empty submission."""
    job = Run(course, tmp_path / "out", maker=FakeJudge, seed=SEED)
    job.grade(hand_in("ada", solved))
    folder = hand_in("ada", solved + "\n")
    commit, commits = State.commit, []

    def killed(state, connection):
        commits.append(state)
        if len(commits) == 2:  # the first is that of the verdict
            raise KeyboardInterrupt
        commit(state, connection)

    monkeypatch.setattr(State, "commit", killed)
    with pytest.raises(KeyboardInterrupt):
        job.grade(folder)
    assert copies(tmp_path / "out") == {"ada": solved.encode()}
    monkeypatch.undo()
    job.grade(folder)
    assert copies(tmp_path / "out") == {"ada": f"{solved}\n".encode()}
    with closing(State(tmp_path / "out")) as state:
        assert state.rows("SELECT count(*) FROM copy") == [(1,)]  # the older one is gone
