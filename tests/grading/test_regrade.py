import json
import shutil
from contextlib import closing
from dataclasses import replace

import pytest
from nbgrader.api import Gradebook
from small_course import NAME, FakeJudge

from autograder.__main__ import main
from autograder.errors import UsageError
from autograder.finding import Finding
from autograder.grading.gradebook_stream import GradebookStream
from autograder.grading.grading_run import Run
from autograder.grading.regrade import Regrade
from autograder.judging.state import GradedCopies, State
from autograder.judging.store import Store
from tests.gradebook_dump import dump

SEED = 7


class Stricter(FakeJudge):
    """As if the last check asked for more."""

    def run(self, job):
        verdict = super().run(job)
        last = replace(verdict.checks[-1], points=0.0, status="failed", finding=Finding(got="not this time"))
        return replace(verdict, status="failed", checks=[*verdict.checks[:-1], last])


@pytest.fixture(scope="module")
def graded(course, tmp_path_factory, solved):
    """The output of a graded class of three, whose submissions are gone: right, called by another name, none at all."""
    folder = tmp_path_factory.mktemp("graded")
    for student, name in {"ada": f"{NAME}.ipynb", "ben": "mine.ipynb", "cas": "notes.pdf"}.items():
        place = folder / "submitted" / student / NAME
        place.mkdir(parents=True)
        (place / name).write_text(solved, encoding="utf-8")
    Run(course, folder / "out", maker=FakeJudge, seed=SEED).grade(folder / "submitted")
    shutil.rmtree(folder / "submitted")
    return folder / "out"


@pytest.fixture
def output(graded, tmp_path):
    shutil.copytree(graded, tmp_path / "out")
    return tmp_path / "out"


@pytest.fixture
def regrade(course, output):
    def regrade(maker=FakeJudge, **options):
        return Regrade(course, output, maker=maker, **options)

    return regrade


def files(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def copies(output):
    with closing(State(output)) as state:
        return {copy.student: copy.data() for copy, _ in GradedCopies(state).copies()}


def test_the_same_seed_and_checks_give_the_same_verdicts_without_the_submissions(regrade, output):
    before = files(output)
    regraded = regrade().judged()
    assert [one.handed.student for one in regraded] == ["ada", "ben", "cas"]
    assert all(one.same for one in regraded)
    assert {one.after.seed for one in regraded} == {SEED}
    assert [one.changes for one in regraded] == [[], [], []]
    assert files(output) == before  # judging alone writes nothing


def test_what_changed_is_told_check_by_check_and_written(regrade, output):
    job = regrade(Stricter)
    regraded = job.judged(students=["ada"])
    assert regraded[0].changes == [("halver_hidden", 1.5, 0.0)]
    job.write(regraded)
    assert dump(output / "gradebook.db")[f"{NAME}/ada"]["score"] == 3.0
    assert dump(output / "gradebook.db")[f"{NAME}/ben"]["score"] == 4.5
    page = output / "feedback" / "ada" / NAME / f"{NAME}.html"
    assert "not this time" in page.read_text("utf-8")


def test_regrading_twice_is_regrading_once_and_the_copies_outlive_it(regrade, output):
    before = copies(output)
    assert len(before) == 3
    for _ in range(2):
        job = regrade(Stricter)
        job.write(regraded := job.judged())
        assert copies(output) == before
    assert all(one.same for one in regraded)


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
        assert gradebook.find_grade("halver_hidden", NAME, NAME, "ada").extra_credit == 0.5
        assert gradebook.find_comment("double", NAME, NAME, "ada").comment == "Well put."
        assert gradebook.find_submission(NAME, "ada").score == 1.0 + 1.0 + 0.5


def test_other_checks_and_versions_are_told_as_the_reason(regrade, output, assignment):
    with Store(output) as store:
        for key in store.all_keys():
            then = store.circumstances(key)
            then = replace(then, versions=then.versions | {"torch": "1.0"}, checks="0" * 64)
            store.put(key, store.get(key), then)
    (one,) = regrade(seed=8).judged(students=["ada"])
    assert one.why[0] == "different checks"
    assert one.why[1].startswith("torch 1.0 → ")
    assert one.why[2:] == ("different seed",)


def test_a_verdict_that_is_not_known_any_more_is_judged_all_the_same(regrade, output):
    with closing(State(output)) as state, state.change() as rows:
        rows.execute("DELETE FROM verdict")
    one = regrade().judged(students=["ada"])[0]
    assert one.before is None
    assert one.after.seed == SEED
    assert one.why == ("its earlier verdict is unknown",)


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
    """Runs the command → status, stdout, stderr."""

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
        def run(self, job):
            verdict = super().run(job)
            last = replace(verdict.checks[-1], finding=Finding(got="in other words"))
            return replace(verdict, checks=[*verdict.checks[:-1], last])

    command("--student", "ada", judge=Stricter)
    _, out, _ = command("--student", "ada", "--dry-run", judge=Wordy)
    assert out.splitlines()[2].split()[3:8] == ["0", "→", "0", "message", "only;"]


def test_json_says_the_same(command, output):
    status, out, _ = command("--json", "--student", "ada", judge=Stricter)
    (one,) = json.loads(out)["submissions"]
    assert status == 0
    assert (one["student"], one["points"], one["why"]) == ("ada", [4.5, 3.0], [])
    assert one["changes"] == [{"check": "halver_hidden", "before": 1.5, "after": 0.0}]
    assert dump(output / "gradebook.db")[f"{NAME}/ada"]["score"] == 3.0


def test_grades_without_a_copy_are_named_and_the_status_is_1(command, output):
    with closing(State(output)) as state, state.change() as rows:
        rows.execute("DELETE FROM entry WHERE student = 'ben'")
    status, _, err = command("--dry-run")
    assert status == 1
    assert err.splitlines()[-1] == f"regrade: in the gradebook, but without a copy to judge: ben/{NAME}; use `grade`."


def test_a_folder_that_is_not_there_is_one_line_and_status_2(command, output):
    shutil.rmtree(output)
    status, out, err = command()
    assert (status, out) == (2, "")
    assert err == "regrade: there is no folder out; expected one that `grade` wrote.\n"


def test_at_no_moment_is_there_no_copy(course, solved, hand_in, tmp_path, monkeypatch):
    """A grading that is killed while it takes a newer file leaves the older: a regrade finds no empty submission."""
    job = Run(course, tmp_path / "out", maker=FakeJudge, seed=SEED)
    job.grade(hand_in("ada", solved))
    folder = hand_in("ada", solved + "\n")
    commits = []

    def killed(state, connection):
        commits.append(1)
        if len(commits) == 2:  # the first is that of the verdict
            raise KeyboardInterrupt
        commit(state, connection)

    commit = State.commit
    monkeypatch.setattr(State, "commit", killed)
    with pytest.raises(KeyboardInterrupt):
        job.grade(folder)
    assert copies(tmp_path / "out") == {"ada": solved.encode()}
    monkeypatch.undo()
    job.grade(folder)
    assert copies(tmp_path / "out") == {"ada": f"{solved}\n".encode()}
    with closing(State(tmp_path / "out")) as state:
        assert state.rows("SELECT count(*) FROM copy") == [(1,)]  # the older one is gone


def test_a_submission_that_is_gone_just_now_stops_no_other(course, solved, hand_in, tmp_path, monkeypatch):
    for student in ("ada", "ben", "cas"):
        folder = hand_in(student, solved)
    enter = GradebookStream.enter

    def late(self, handed, verdict, key):
        if handed.student == "ben":
            handed.path.unlink()
        enter(self, handed, verdict, key)

    monkeypatch.setattr(GradebookStream, "enter", late)
    graded = Run(course, tmp_path / "out", maker=FakeJudge, seed=SEED).grade(folder)
    found = {one.handed.student: (one.verdict.status, one.verdict.notes[:1]) for one in graded}
    assert found["ben"] == ("infrastructure", ["The submission cannot be read: No such file or directory."])
    assert {found[student][0] for student in ("ada", "cas")} == {"ok"}
