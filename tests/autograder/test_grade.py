import pytest
import small_course
from small_course import NAME, FakeJudge, NoSandbox

from autograder.errors import UsageError
from autograder.grading.grading_run import Run
from autograder.judging.judge import RetryingJudge
from autograder.judging.store import Store
from autograder.records.verdict import Verdict
from autograder.sandbox.errors import SandboxUnavailable
from autograder.submissions.submission import Submission
from tests.gradebook_dump import dump


@pytest.fixture
def folder(hand_in, solved, blank):
    """A class of six: right, blank, half right, looping, unreadable, renamed."""
    hand_in("ada", solved)
    hand_in("ben", blank)
    hand_in("cas", solved.replace("return x + x", "return 2 * x  # half right"))
    hand_in("dan", solved.replace("return x + x", "return x  # loops"))
    hand_in("eva", "{")
    return hand_in("fay", solved, name="mine.ipynb")


@pytest.fixture
def pair(hand_in, solved, blank):
    """A class of two: right, and blank."""
    hand_in("ada", solved)
    return hand_in("ben", blank)


@pytest.fixture
def run(course, tmp_path):
    def run(output="out", workers=1, maker=FakeJudge, **options):
        return Run(course, tmp_path / output, workers, maker=maker, **options)

    return run


def points(graded):
    return {one.handed.student: one.verdict.points for one in graded}


PAIR = {"ada": 4.5, "ben": 0.0}
EXPECTED = {"ada": 4.5, "ben": 0.0, "cas": 2.25, "dan": 4.5, "eva": 0.0, "fay": 4.5}


def test_serial_and_parallel_grading_give_identical_gradebooks(run, folder, tmp_path):
    assert points(run("serial", seed=7).grade(folder)) == EXPECTED
    assert points(run("parallel", workers=2, seed=7).grade(folder)) == EXPECTED
    book = dump(tmp_path / "serial" / "gradebook.db")
    assert book == dump(tmp_path / "parallel" / "gradebook.db")
    assert {name.split("/")[1]: entry["score"] for name, entry in book.items() if "/" in name} == EXPECTED
    with Store(tmp_path / "serial") as serial, Store(tmp_path / "parallel") as parallel:
        assert serial.all_keys() == parallel.all_keys()


def test_a_second_run_judges_nothing_only_reads_and_writes_a_lost_gradebook_again(run, pair, tmp_path):
    files = [path for path in pair.rglob("*") if path.is_file()]
    before = [(path.read_bytes(), path.stat().st_mtime_ns) for path in files]
    first = run().grade(pair)
    book = dump(tmp_path / "out" / "gradebook.db")
    with Store(tmp_path / "out") as store:
        assert {one.verdict.seed for one in first} == {store.seed()}  # drawn once and recorded
    for is_lost in (False, True):
        if is_lost:
            (tmp_path / "out" / "gradebook.db").unlink()
        FakeJudge.started = 0
        assert all(one.reused for one in run().grade(pair))
        assert (FakeJudge.started, dump(tmp_path / "out" / "gradebook.db")) == (0, book)
    assert [(path.read_bytes(), path.stat().st_mtime_ns) for path in files] == before


def test_a_run_that_was_cut_short_goes_on_where_it_was(run, pair, tmp_path):
    class Interrupted(FakeJudge):
        runs = 0

        def run(self, job):
            Interrupted.runs += 1
            if Interrupted.runs == 2:
                raise KeyboardInterrupt
            return super().run(job)

    with pytest.raises(KeyboardInterrupt):
        run(maker=Interrupted).grade(pair)
    graded = run().grade(pair)
    assert [one.handed.student for one in graded if one.reused] == ["ada"]
    assert points(graded) == PAIR


def test_only_what_changed_is_judged_again(run, pair, hand_in, solved, tmp_path):
    run().grade(pair)
    hand_in("ada", solved.replace("return x + x", "return 2 * x  # half right"))
    graded = run().grade(pair)
    assert [one.handed.student for one in graded if not one.reused] == ["ada"]
    assert dump(tmp_path / "out" / "gradebook.db")[f"{NAME}/ada"]["score"] == 2.25


def test_another_seed_is_another_judgement(run, pair):
    run(seed=1).grade(pair)
    assert not any(one.reused for one in run(seed=2).grade(pair))


@pytest.mark.parametrize("workers", [1, 2])
def test_without_a_sandbox_nothing_is_graded_and_nothing_written(run, pair, tmp_path, workers):
    with pytest.raises(SandboxUnavailable, match="bwrap"):
        run(maker=NoSandbox, workers=workers).grade(pair)
    assert not (tmp_path / "out").exists()


def test_a_folder_of_another_assignment_is_left_out_and_named_and_an_unknown_one_refused(run, pair):
    (pair / "ada" / "99_other").mkdir()
    job = run()
    job.grade(pair)
    assert job.skipped == ["ada/99_other"]
    with pytest.raises(UsageError, match=f"no assignment 'x'; the course has {NAME}"):
        run().grade(pair, "x")


class Faulty(FakeJudge):
    faults = 0

    def run(self, job):
        Faulty.faults -= 1
        return Verdict("infrastructure", job.seed, [], []) if Faulty.faults >= 0 else super().run(job)


def test_a_fault_of_the_grader_is_tried_again_with_a_fresh_judge(course, assignment, solved):
    Faulty.faults, Faulty.started = 2, 0
    with RetryingJudge(assignment, course, Faulty) as judge:
        assert judge.verdict(Submission.read(solved.encode(), assignment), 1).status == "ok"
    assert Faulty.started == 3


def test_a_lasting_fault_costs_nobody_points(run, pair, tmp_path):
    Faulty.faults = 3
    graded = run(maker=Faulty).grade(pair)
    assert graded[0].verdict.status == "infrastructure"
    assert f"{NAME}/ada" not in dump(tmp_path / "out" / "gradebook.db")
    assert points(run().grade(pair)) == PAIR


def test_an_exercise_with_other_checks_asks_for_a_fresh_gradebook(hand_in, solved, tmp_path):
    root = small_course.make(tmp_path / "course")
    folder = hand_in("ada", solved)
    Run(root, tmp_path / "out", maker=FakeJudge).grade(folder)
    path = root / "solutions" / f"{NAME}.py"
    path.write_text(path.read_text("utf-8").replace('"halver_right"', '"halver_other"'), encoding="utf-8")
    with pytest.raises(Exception, match="fresh --output"):
        Run(root, tmp_path / "out", maker=FakeJudge).grade(folder)
