"""The workers of a dask scheduler: in this process, and, in the long tier, processes that can be killed."""

import re
import shlex
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass, replace

import psutil
import pytest
from distributed import Scheduler as DaskScheduler
from distributed import SpecCluster, Worker
from judges import Breaking, NoSandbox, Telling
from machines import ROOT, started, wait_for

from autograder.commands.options import MACHINES
from autograder.errors import UsageError
from autograder.grading import cluster, worker_judges
from autograder.grading.cluster import Cluster
from autograder.grading.pool import Pool
from autograder.grading.scheduler import Scheduler
from autograder.grading.worker_judges import Course
from autograder.sandbox.errors import SandboxUnavailable
from autograder.store.versions import versions
from autograder.submissions.submitted_files import SubmittedFile

SEED = 7
LONG = pytest.mark.long("every way to grade")


@contextmanager
def threads(*workers):
    """A scheduler with workers of these options, threads of this process: its address."""
    place = {"host": "127.0.0.1", "dashboard": False, "dashboard_address": "127.0.0.1:0"}
    scheduler = {"cls": DaskScheduler, "options": {**place, "port": 0, "protocol": "tcp://"}}
    specs = {i: {"cls": Worker, "options": {**place, "nthreads": 1, **options}} for i, options in enumerate(workers)}
    with SpecCluster(specs, scheduler) as machines:
        yield machines.scheduler_address


@pytest.fixture(scope="module")
def address():
    with threads({}, {"resources": {"gpu": 1}}) as address:
        yield address


@pytest.fixture
def verdicts(assignment, course, request):
    def verdicts(handed, maker=Telling, assignment=assignment, place=None):
        place = place or request.getfixturevalue("address")
        with Cluster(handed, assignment, course, SEED, Scheduler(place), maker) as judges:
            wait_for(lambda: len(judges._workers()) == 2)
            return dict(judges)

    return verdicts


def statuses(verdicts):
    return [verdicts[index].status for index in sorted(verdicts)]


def test_every_submission_gets_its_own_verdict_however_it_is_judged(verdicts, class_of, assignment, course):
    handed = class_of(12, s3="half right", s5="breaks the judge")
    judged = verdicts(handed)
    assert len({verdict.notes[-1] for index, verdict in judged.items() if index != 5}) == 2  # each worker has its share
    with Pool(handed, assignment, course, SEED, 1, Breaking) as judges:
        for way in (judged, dict(judges)):
            points = {index: (verdict.points, verdict.seed) for index, verdict in way.items()}
            assert points == {number: ({3: 2.25, 5: 0.0}.get(number, 4.5), SEED) for number in range(12)}
            assert way[5].status == "infrastructure"
            assert way[5].notes == ["The grader failed: RuntimeError: the judge broke"]
    assert Breaking.started == 2  # the judge that broke was not used again


@dataclass(frozen=True)
class Elsewhere(SubmittedFile):
    """A submission whose file a worker cannot reach, or that cannot be read any more."""

    text: str | None = None

    def data(self):
        if self.text is None:
            raise PermissionError(13, "Permission denied")
        return self.text.encode()


def test_submissions_travel_as_bytes_and_one_that_cannot_be_read_costs_nobody_else(verdicts, assignment, solved):
    texts = {"ada": solved, "eve": None, "gil": None, "zoe": solved}
    handed = [Elsewhere(name, assignment.name, None, notes=("renamed",), text=text) for name, text in texts.items()]
    judged = verdicts(handed)
    assert statuses(judged) == ["ok", "infrastructure", "infrastructure", "ok"]
    assert (judged[0].points, judged[0].notes[0]) == (4.5, "renamed")


def test_a_submission_on_which_every_worker_dies_costs_nobody_points(verdicts, class_of):
    judged = verdicts(class_of(3, s1="is told to have killed its worker"))
    assert "KilledWorker" in judged[1].notes[0]
    assert statuses(judged) == ["ok", "infrastructure", "ok"]


def test_answers_that_use_a_gpu_go_to_the_worker_that_has_one(verdicts, assignment, class_of):
    gpu = replace(assignment, text=assignment.text.replace('"gpu": false', '"gpu": true'))
    assert gpu.gpu
    judged = verdicts(class_of(8), assignment=gpu)
    assert len({verdict.notes[-1] for verdict in judged.values()}) == 1


def test_without_a_sandbox_the_run_stops_before_it_begins(verdicts, class_of, assignment, course):
    handed = class_of(3)
    with pytest.raises(SandboxUnavailable, match=r"bwrap.*\(on the worker tcp://"):
        verdicts(handed, maker=NoSandbox)
    with pytest.raises(SandboxUnavailable, match="bwrap"), Pool(handed, assignment, course, 7, 2, NoSandbox) as judges:
        list(judges)


DIFFERS = r"tcp://\S+ would judge differently .*: "


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"autograder": "0"}, DIFFERS + r"autograder \w+ here, \w+ \(started before an update\) there"),
        ({"torch": "1.0"}, DIFFERS + r"torch \S+ here, 1.0 there"),
        (None, r"worker tcp://\S+ does not have this course.*autograder.*dask worker"),
    ],
)
def test_a_worker_with_other_code_or_none_is_refused_by_name(verdicts, class_of, monkeypatch, change, message):
    def there(root):
        if change is None:
            raise ModuleNotFoundError("no module autograder", name="autograder")
        return versions(root) | change

    monkeypatch.setattr(worker_judges, "versions", there)
    with pytest.raises(UsageError, match=message):
        verdicts(class_of(1))


@pytest.fixture
def here(monkeypatch):
    monkeypatch.setattr(worker_judges, "_judges", {})
    return versions(ROOT)


def test_a_worker_that_comes_later_with_other_code_judges_nothing(assignment, here, monkeypatch):
    monkeypatch.setattr(worker_judges, "versions", lambda root: here | {"torch": "1.0"})
    with pytest.raises(UsageError, match=r"torch \S+ here, 1.0 there"):
        worker_judges.judged(Course(assignment, None, here, Telling), b"{}", (), "", SEED)


def test_two_courses_on_one_worker_leave_each_other_alone(assignment, here):
    first, second, third = (Course(replace(assignment, name=name), None, here, Telling) for name in "abc")
    assert first != second
    with worker_judges.judges_for(first) as busy, busy.judge():
        worker_judges.prepared(second)
        assert not busy.dismissed
    with worker_judges.judges_for(first) as again:
        assert again is busy  # its judge is warm
        assert not again.dismissed
    with worker_judges.judges_for(third):
        assert busy.dismissed  # nobody keeps it busy: it has made room


def test_without_scheduler_or_workers_the_message_says_how_to_start_them(verdicts, class_of, monkeypatch):
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 0.5)
    handed = class_of(1)
    with pytest.raises(UsageError, match=r"no dask scheduler answers at tcp://127.0.0.1:1 .*dask scheduler"):
        verdicts(handed, place="tcp://127.0.0.1:1")
    monkeypatch.setattr(cluster, "CONNECT_SECONDS", 60)
    monkeypatch.setattr(cluster, "WORKER_SECONDS", 0.5)
    with threads() as address, pytest.raises(UsageError, match=f"{address} has no workers; .*dask worker"):
        verdicts(handed, place=address)


def test_every_command_that_is_written_names_the_address_to_listen_at():
    commands = re.findall(r"^.*-m dask (scheduler|worker)(.*)$", MACHINES, re.MULTILINE)
    assert {command for command, _ in commands} == {"scheduler", "worker"}
    assert all("--host HERE --dashboard-address HERE:0" in rest for _, rest in commands)


@LONG
def test_workers_that_are_processes(class_of, assignment, course, tmp_path):
    """With TLS they listen at the host alone; the work of one that dies is done again; at last the scheduler dies."""
    key, cert = str(tmp_path / "key.pem"), str(tmp_path / "cert.pem")
    line = "openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=127.0.0.1"
    subprocess.run([*shlex.split(line), "-keyout", key, "-out", cert], check=True, capture_output=True)
    files = ("--tls-ca-file", cert, "--tls-cert", cert, "--tls-key", key)
    mark = tmp_path / "mark"
    handed = class_of(200, s1="kills its worker", s2=f"kills the first worker {mark}")
    with started(tmp_path, *files, protocol="tls") as machines:
        for _ in range(2):
            machines.work("--host", "127.0.0.1")  # with a nanny, which starts it again
        machines.wait_for_workers(2)
        assert machines.address.startswith("tls://")
        processes = [psutil.Process(process.pid) for process in machines.processes]
        processes += [child for process in processes for child in process.children(recursive=True)]
        connections = [entry for process in processes for entry in process.net_connections(kind="inet")]
        assert {entry.laddr.ip for entry in connections if entry.status == psutil.CONN_LISTEN} == {"127.0.0.1"}
        scheduler = Scheduler(machines.address, cert, cert, key)
        with Cluster(handed[:6], assignment, course, SEED, scheduler, Telling) as judges:
            judged = dict(judges)
        assert statuses(judged) == ["ok", "infrastructure", *["ok"] * 4]
        assert "KilledWorker" in judged[1].notes[0]
        assert mark.exists()
        with Cluster(handed[2:], assignment, course, SEED, scheduler, Telling) as judges:
            judged = iter(judges)
            next(judged)
            machines.scheduler.kill()
            with pytest.raises(UsageError, match=r"scheduler at .* is gone; what was judged is kept"):
                list(judged)
