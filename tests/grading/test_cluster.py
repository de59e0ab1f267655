import shutil
import subprocess
from dataclasses import dataclass, replace

import pytest
from judges import NoSandbox, Telling
from machines import ROOT, started, wait_for

from autograder.errors import UsageError
from autograder.grading import worker_judges
from autograder.grading.cluster import Cluster
from autograder.grading.scheduler import Scheduler
from autograder.grading.worker_judges import Course
from autograder.judging.versions import versions
from autograder.sandbox.errors import SandboxUnavailable
from autograder.submissions.submitted_files import SubmittedFile

SEED = 7


@pytest.fixture(scope="module")
def machines(tmp_path_factory):
    """A scheduler with two workers, one of which offers a GPU; the workers come back when they are killed."""
    with started(tmp_path_factory.mktemp("machines")) as machines:
        machines.work("--name", "one")
        machines.work("--name", "two", "--resources", "gpu=1")
        machines.wait_for_workers(2)
        yield machines


@pytest.fixture
def verdicts(assignment, course, machines):
    """Judges a class on the machines."""

    def verdicts(handed, maker=Telling, assignment=assignment, address=machines.address):
        with Cluster(handed, assignment, course, SEED, Scheduler(address), maker) as cluster:
            wait_for(lambda: len(cluster._workers()) == 2)
            return dict(cluster)

    return verdicts


def test_every_submission_gets_its_own_verdict_and_every_worker_has_its_share(verdicts, class_of):
    found = verdicts(class_of(12, s3="half right"))
    assert {index: found[index].points for index in found} == {n: 2.25 if n == 3 else 4.5 for n in range(12)}
    assert {verdict.seed for verdict in found.values()} == {SEED}
    assert len({verdict.notes[-1] for verdict in found.values()}) == 2


@dataclass(frozen=True)
class Elsewhere(SubmittedFile):
    """A submission whose file a worker cannot reach."""

    text: str = ""

    def data(self):
        return self.text.encode()


def test_submissions_travel_as_bytes(verdicts, assignment, solved):
    handed = [Elsewhere("ada", assignment.name, None, text=solved, notes=("renamed",))]
    assert verdicts(handed)[0].points == 4.5


def test_the_work_of_a_worker_that_dies_is_done_again(verdicts, class_of, tmp_path):
    found = verdicts(class_of(6, s2=f"kills the first worker {tmp_path / 'mark'}"))
    assert {verdict.status for verdict in found.values()} == {"ok"}
    assert (tmp_path / "mark").exists()


def test_a_submission_on_which_every_worker_dies_costs_nobody_points(verdicts, class_of):
    found = verdicts(class_of(3, s1="kills its worker"))
    assert "KilledWorker" in found[1].notes[0]
    assert [found[index].status for index in range(3)] == ["ok", "infrastructure", "ok"]


def test_an_error_of_ours_costs_one_submission_its_verdict_and_no_other(verdicts, class_of):
    found = verdicts(class_of(3, s1="breaks the judge"))
    assert [found[index].status for index in range(3)] == ["ok", "infrastructure", "ok"]


@dataclass(frozen=True)
class Gone(SubmittedFile):
    """A submission that cannot be read any more."""

    def data(self):
        raise PermissionError(13, "Permission denied")


def test_a_submission_that_cannot_be_read_costs_nobody_else_anything(verdicts, class_of, assignment):
    first, last = class_of(2)
    found = verdicts([first, Gone("eve", assignment.name, None), Gone("gil", assignment.name, None), last])
    assert [found[index].status for index in range(4)] == ["ok", "infrastructure", "infrastructure", "ok"]


def test_answers_that_use_a_gpu_go_to_the_worker_that_has_one(verdicts, assignment, class_of):
    gpu = replace(assignment, text=assignment.text.replace('"gpu": false', '"gpu": true'))
    assert gpu.gpu
    found = verdicts(class_of(8), assignment=gpu)
    assert len({verdict.notes[-1] for verdict in found.values()}) == 1


def test_a_worker_without_a_sandbox_stops_the_run_before_it_begins(verdicts, class_of):
    with pytest.raises(SandboxUnavailable, match=r"bwrap.*\(on the worker tcp://"):
        verdicts(class_of(1), maker=NoSandbox)


def test_a_worker_with_other_code_is_refused_by_name(class_of, assignment, course, tmp_path):
    shutil.copytree(ROOT / "autograder", tmp_path / "old" / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    with (tmp_path / "old" / "autograder" / "expect.py").open("a") as file:
        file.write("# an older version\n")
    with started(tmp_path) as machines:
        machines.work("--no-nanny", root=tmp_path / "old")
        machines.wait_for_workers(1)
        with (
            pytest.raises(UsageError, match=r"tcp://\S+ would judge differently .*: autograder \w+ here, \w+ there"),
            Cluster(class_of(1), assignment, course, SEED, Scheduler(machines.address), Telling),
        ):
            pass


def test_a_worker_without_the_grader_is_refused_by_name(class_of, assignment, course, tmp_path):
    (tmp_path / "autograder.py").write_text("raise ModuleNotFoundError('no module autograder', name='autograder')")
    with started(tmp_path) as machines:
        machines.work("--no-nanny", root=tmp_path)
        machines.wait_for_workers(1)
        with (
            pytest.raises(UsageError, match=r"worker tcp://\S+ does not have this course.*autograder.*dask worker"),
            Cluster(class_of(1), assignment, course, SEED, Scheduler(machines.address), Telling),
        ):
            pass


def test_a_worker_that_comes_later_with_other_code_judges_nothing(assignment, monkeypatch):
    monkeypatch.setattr(worker_judges, "_judges", {})
    here = versions(ROOT)
    monkeypatch.setattr(worker_judges, "versions", lambda root: here | {"torch": "1.0"})
    with pytest.raises(UsageError, match=r"torch \S+ here, 1.0 there"):
        worker_judges.judged(Course(assignment, None, here, Telling), b"{}", (), "", SEED)


def test_two_courses_on_one_worker_leave_each_other_alone(assignment, monkeypatch):
    monkeypatch.setattr(worker_judges, "_judges", {})
    here = versions(ROOT)
    one, other = (Course(replace(assignment, name=name), None, here, Telling) for name in ("one", "other"))
    assert one != other
    with worker_judges.judges_for(one) as busy, busy.judge():
        worker_judges.prepared(other)
        assert not busy.dismissed
    with worker_judges.judges_for(one) as again:
        assert again is busy  # its judge is warm
        assert not again.dismissed
    with worker_judges.judges_for(Course(replace(assignment, name="third"), None, here, Telling)):
        assert busy.dismissed  # nobody keeps it busy: it has made room


def test_without_a_scheduler_the_message_says_how_to_start_one(class_of, assignment, course, monkeypatch):
    monkeypatch.setattr("autograder.grading.cluster.CONNECT_SECONDS", 0.5)
    with (
        pytest.raises(UsageError, match=r"no dask scheduler answers at tcp://127.0.0.1:1 .*dask scheduler"),
        Cluster(class_of(1), assignment, course, SEED, Scheduler("tcp://127.0.0.1:1"), Telling),
    ):
        pass


@pytest.fixture
def alone(tmp_path, monkeypatch):
    """A scheduler without workers."""
    monkeypatch.setattr("autograder.grading.cluster.CONNECT_SECONDS", 5)
    with started(tmp_path) as machines:
        yield machines


def test_without_workers_the_message_says_how_to_start_them(class_of, assignment, course, alone, monkeypatch):
    monkeypatch.setattr("autograder.grading.cluster.WORKER_SECONDS", 0.5)
    with (
        pytest.raises(UsageError, match=f"{alone.address} has no workers; .*dask worker"),
        Cluster(class_of(1), assignment, course, SEED, Scheduler(alone.address), Telling),
    ):
        pass


def test_a_scheduler_that_goes_away_ends_the_run_in_words(class_of, assignment, course, alone):
    alone.work("--no-nanny")
    alone.wait_for_workers(1)
    with Cluster(class_of(300), assignment, course, SEED, Scheduler(alone.address), Telling) as cluster:
        verdicts = iter(cluster)
        next(verdicts)
        alone.scheduler.kill()
        with pytest.raises(UsageError, match=r"scheduler at .* is gone; what was judged is kept"):
            list(verdicts)


def test_a_scheduler_may_ask_for_tls(class_of, assignment, course, tmp_path):
    key, cert = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    line = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=127.0.0.1"]
    subprocess.run([*line, "-keyout", key, "-out", cert], check=True, capture_output=True)
    files = ("--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", key)
    with started(tmp_path, *files, protocol="tls") as machines:
        machines.work("--no-nanny")
        machines.wait_for_workers(1)
        scheduler = Scheduler(machines.address, cert, cert, key)
        assert machines.address.startswith("tls://")
        with Cluster(class_of(1), assignment, course, SEED, scheduler, Telling) as cluster:
            assert dict(cluster)[0].points == 4.5


def test_tls_files_without_a_tls_address_are_refused():
    with pytest.raises(UsageError, match="tls://"):
        Scheduler("tcp://127.0.0.1:1", cert="cert.pem").security()
