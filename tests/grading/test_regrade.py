import json
import re
import shutil
from contextlib import closing
from dataclasses import replace

import pytest
from nbgrader.api import Gradebook
from small_course import NAME, FakeJudge

from autograder.__main__ import main
from autograder.errors import UsageError
from autograder.finding import Finding
from autograder.grading.grading_run import Run
from autograder.grading.regrade import Regrade
from autograder.judging.state import GradedCopies, State
from autograder.judging.store import Store
from tests.gradebook_dump import dump

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
    return shutil.copytree(graded, tmp_path / "out")


@pytest.fixture
def regrade(course, output):
    return lambda maker=FakeJudge, **options: Regrade(course, output, maker=maker, **options)


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def copies(output):
    with closing(State(output)) as state:
        return {copy.student: copy.data() for copy, _ in GradedCopies(state).copies()}


def test_the_same_seed_and_checks_give_the_same_verdicts_without_the_submissions(regrade, output):
    before = files(output)
    regraded = [(work.handed.student, work.same, work.after.seed, work.changes) for work in regrade().judged()]
    assert regraded == [(student, True, SEED, []) for student in ("ada", "ben", "cas")]
    assert files(output) == before  # judging alone writes nothing


def test_what_changed_is_told_check_by_check_and_written(regrade, output):
    job = regrade(Stricter)
    regraded = job.judged(students=["ada"])
    assert regraded[0].changes == [("halver_hidden", 1.5, 0.0)]
    job.write(regraded)
    book = dump(output / "gradebook.db")
    assert [book[f"{NAME}/{student}"]["score"] for student in ("ada", "ben")] == [3.0, 4.5]
    assert "not this time" in (output / "feedback" / "ada" / NAME / f"{NAME}.html").read_text("utf-8")


def test_regrading_twice_is_regrading_once_and_the_copies_outlive_it(regrade, output):
    before = copies(output)
    assert len(before) == 3
    for _ in range(2):
        job = regrade(Stricter)
        job.write(regraded := job.judged())
        assert copies(output) == before
    assert all(work.same for work in regraded)


def test_what_an_instructor_entered_by_hand_survives(regrade, output):
    with Gradebook(f"sqlite:///{output / 'gradebook.db'}") as gradebook:
        gradebook.find_grade("double_right", NAME, NAME, "ada").manual_score = 1.0
        gradebook.find_grade("halver_hidden", NAME, NAME, "ada").extra_credit = 0.5
        gradebook.find_comment("double", NAME, NAME, "ada").manual_comment = "Well put."
        gradebook.db.commit()
    job = regrade(Stricter)
    job.write(job.judged())
    with Gradebook(f"sqlite:///{output / 'gradebook.db'}") as gradebook:
        assert gradebook.find_grade("double_right", NAME, NAME, "ada").score == 1.0
        assert gradebook.find_comment("double", NAME, NAME, "ada").comment == "Well put."
        assert gradebook.find_submission(NAME, "ada").score == 1.0 + 1.0 + 0.5  # with the extra credit


def test_other_checks_and_versions_are_told_as_the_reason(regrade, output, assignment):
    with Store(output) as store:
        for key in store.all_keys():
            then = store.circumstances(key)
            then = replace(then, versions=then.versions | {"torch": "1.0"}, checks="0" * 64)
            store.put(key, store.get(key), then)
    (regraded,) = regrade(seed=8).judged(students=["ada"])
    assert re.fullmatch("different checks; torch 1.0 → [^;]+; different seed", "; ".join(regraded.why))


def test_a_verdict_that_is_not_known_any_more_is_judged_all_the_same(regrade, rows):
    rows("DELETE FROM verdict")
    (regraded,) = regrade().judged(students=["ada"])
    assert (regraded.before, regraded.after.seed) == (None, SEED)
    assert regraded.why == ("its earlier verdict is unknown",)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"assignment": "x"}, f"there is no assignment 'x'; the course has {NAME}"),
        ({"students": ["ada", "zoe"]}, "has no submissions of zoe"),
    ],
)
def test_what_is_not_there_is_refused(regrade, options, message):
    with pytest.raises(UsageError, match=message):
        regrade().judged(**options)


@pytest.fixture
def command(course, output, capsys, monkeypatch):
    def command(*arguments, judge=FakeJudge):
        monkeypatch.setattr("autograder.judging.judge.Judge", judge)
        monkeypatch.chdir(output.parent)
        status = main(["regrade", "--root", str(course), "--workers", "1", "--output", "out", *arguments])
        return status, *capsys.readouterr()

    return command


def test_the_table_has_a_row_for_each_change_and_dry_run_writes_nothing(command, output):
    before = files(output)
    status, out, err = command("--dry-run", judge=Stricter)
    assert status == 0
    assert [line.split()[:6] for line in out.splitlines()[2:4]] == [
        ["ada", NAME, "halver_hidden", "1.5", "→", "0"],
        ["ben", NAME, "halver_hidden", "1.5", "→", "0"],
    ]
    assert "3 judged again: 1 identical byte for byte, 2 with different results." in out
    assert "nothing was written" in out
    assert "3/3" in err
    assert files(output) == before


def test_a_check_that_only_says_something_else_is_told_as_that(command):
    class Wordy(Stricter):
        got = "in other words"

    command("--student", "ada", judge=Stricter)
    _, out, _ = command("--student", "ada", "--dry-run", judge=Wordy)
    assert out.splitlines()[2].split()[3:8] == ["0", "→", "0", "message", "only;"]


def test_json_says_the_same(command, output):
    status, out, _ = command("--json", "--student", "ada", judge=Stricter)
    (work,) = json.loads(out)["submissions"]
    assert status == 0
    assert (work["student"], work["points"], work["why"]) == ("ada", [4.5, 3.0], [])
    assert work["changes"] == [{"check": "halver_hidden", "before": 1.5, "after": 0.0}]
    assert dump(output / "gradebook.db")[f"{NAME}/ada"]["score"] == 3.0


def test_grades_without_a_copy_are_named_and_the_status_is_1(command, rows):
    rows("DELETE FROM entry WHERE student = 'ben'")
    status, _, err = command("--dry-run")
    assert status == 1
    assert err.splitlines()[-1] == f"regrade: in the gradebook, but without a copy to judge: ben/{NAME}; use `grade`."


def test_a_folder_that_is_not_there_is_one_line_and_status_2(command, output):
    shutil.rmtree(output)
    assert command() == (2, "", "regrade: there is no folder out; expected one that `grade` wrote.\n")


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
