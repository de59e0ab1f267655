"""The autograder zip: its scripts run as Gradescope runs them, and give the points that ``grade`` gives."""

import json
import os
import shutil
import stat
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from bare import linked, required
from small_course import NAME, ROOT, hand_in

from autograder.__main__ import main
from autograder.exports.gradescope_run import KEPT, Home
from autograder.exports.gradescope_zip import Decisions, requirements, write_zip
from autograder.sandbox.self_test import PROMISES
from autograder.store.verdicts import Store

LONG = pytest.mark.long("every way to grade")
AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give learners' code an account of its own")
LOOKS = """\
    import pathlib
    for path in ("/autograder/source/seq2seq/small.py", "/autograder/source/gradescope.json"):
        try:
            pathlib.Path(path).read_text()
            return x + x
        except OSError:
            pass
    try:
        pathlib.Path("/autograder/results/results.json").write_text('{"score": 100}')
        return x + x
    except OSError:
        return x"""
# Of Docker's default capabilities what changing accounts needs; none that makes namespaces.
CAPABILITIES = ("CHOWN", "DAC_OVERRIDE", "FOWNER", "KILL", "SETGID", "SETUID")
# Of the promises; with the container's network, which this one lacks, "no network" is one more.
BROKEN = {"processes of its own", "a host name that reveals nothing", "limit: size of all files", "no privileges"}
NO_BWRAP = "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n"
APT = '#!/bin/sh\necho "$@" >> "$0.log"\n'


@pytest.fixture(scope="module")
def works(solved):
    """Learner → notebook: right, half right, one that looks for answers, none."""
    return {
        "ada": solved,
        "ben": solved.replace("return self.project(x) / 2", "return self.project(x) / 3"),
        "eva": solved.replace("    return x + x", LOOKS.replace("\n", "\\n").replace('"', '\\"')),
        "fay": "{",
    }


@pytest.fixture(scope="module")
def graded(course, works, tmp_path_factory):
    """The folder of the class's grades."""
    top = tmp_path_factory.mktemp("class")
    for student, text in works.items():
        hand_in(top / "submitted", student, text)
    output = top / "grades"
    main(["grade", str(top / "submitted"), "--root", str(course), "--output", str(output)])
    return output


@pytest.fixture(scope="module")
def points(course, graded):
    """Learner → the points that the class's own grading gave."""
    out = graded / "gradescope"
    main(["export", "--to", "gradescope", "--root", str(course), "--output", str(graded), "--file", str(out)])
    return {path.parent.name: json.loads(path.read_text()) for path in out.rglob("results.json")}


@dataclass
class Container:
    """A folder tree in the place of Gradescope's container, whose environment has what the zip asks for alone.

    boxed: below a root of its own, where it is /autograder, bubblewrap lacks the right to make namespaces, and nothing
    of the course is to be seen but the zip's.
    """

    folder: Path
    boxed: bool = False

    @property
    def home(self) -> Path:
        return self.folder / "autograder"

    def upload(self, file: Path) -> None:
        with zipfile.ZipFile(file) as archive:
            for entry in archive.infolist():
                path = Path(archive.extract(entry, self.home / "source"))
                path.chmod(entry.external_attr >> 16)
        (self.home / "results").mkdir()
        (self.folder / "bin").mkdir()
        self.program("apt-get", APT)
        if self.boxed:
            self.program("bwrap", NO_BWRAP)
            subprocess.run([sys.executable, "-m", "venv", "--without-pip", self.home / "venv"], check=True)
        else:
            venv.create(self.home / "venv", symlinks=True)
            asked = (self.home / "source" / "requirements.txt").read_text("utf-8").split("\n")[:-1]
            linked(self.home / "venv", required(["pip", *asked]))

    def program(self, name: str, text: str) -> None:
        (self.folder / "bin" / name).write_text(text)
        (self.folder / "bin" / name).chmod(0o755)

    def hand_in(self, text: str, name: str = f"{NAME}.ipynb") -> None:
        shutil.rmtree(self.home / "submission", ignore_errors=True)
        (self.home / "submission").mkdir()
        (self.home / "submission" / name).write_text(text)
        (self.home / "results" / "results.json").unlink(missing_ok=True)

    def run(self, script: str, *more: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(self.folder / "bin"), os.environ["PATH"]])
        pip = {"PIP_NO_INDEX": "1", "PIP_DRY_RUN": "1"}  # what the zip asks for is what is installed here
        environment = {"PATH": path, "HOME": "/tmp", **pip}
        line = [str(self.home / "source" / script), *more]
        if self.boxed:
            environment["PATH"] = "/autograder/bin:/usr/bin:/bin"
            line = [*self.box(), script if script.startswith("/") else f"/autograder/source/{script}", *more]
        else:
            environment["AUTOGRADER_HOME"] = str(self.home)
        return subprocess.run(line, env=environment, cwd=self.home, capture_output=True, text=True)

    def box(self) -> list[str]:
        line = ["bwrap", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--die-with-parent", "--cap-drop", "ALL"]
        for name in CAPABILITIES:
            line += ["--cap-add", f"CAP_{name}"]
        line += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--chmod", "1777", "/tmp"]
        base, site = Path(sys.base_prefix).resolve(), sysconfig.get_path("purelib")
        for folder in reversed(base.parents[:-1]):
            line += ["--perms", "0755", "--dir", str(folder)]
        for path in ("/usr", "/etc/ld.so.cache", "/etc/passwd", str(base)):
            line += ["--ro-bind", path, path]
        for path in ("/bin", "/sbin", "/lib", "/lib64"):
            if os.path.islink(path):
                line += ["--symlink", os.readlink(path), path]
        line += ["--bind", str(self.home), "/autograder", "--ro-bind", str(self.folder / "bin"), "/autograder/bin"]
        there = site.replace(sys.prefix, "/autograder/venv")
        return [*line, "--ro-bind", site, there, "--chdir", "/autograder"]

    def results(self) -> dict:
        return json.loads((self.home / "results" / "results.json").read_text())


def container(folder, course, graded, *options, boxed=False):
    folder.mkdir()
    file = folder / "autograder.zip"
    line = ["gradescope", NAME, "--root", str(course), "--output", str(graded), "--file", str(file)]
    assert main([*line, *options]) == 0
    made = Container(folder, boxed)
    made.upload(file)
    return made


def same(results, expected):
    """What Gradescope shows, but for the sentence on the isolation, which `grade` does not need."""
    text, _, isolation = results["output"].rpartition("\n")
    assert isolation.startswith("Isolation: ")
    return {**results, "output": text} == expected


@pytest.mark.sandbox
def test_a_submission_gets_the_points_that_grade_gives(course, graded, points, works, tmp_path):
    machine = container(tmp_path / "gradescope", course, graded)
    machine.hand_in(works["ben"])
    done = machine.run("run_autograder")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Isolation: the code ran in bubblewrap's sandbox.\n")
    assert same(machine.results(), points["ben"])
    assert machine.results()["score"] == 2.0
    for name in ("source", "results"):
        assert stat.S_IMODE((machine.home / name).stat().st_mode) == 0o700


@LONG
@pytest.mark.sandbox
def test_every_submission_gets_the_points_that_grade_gives_whatever_it_is_called(
    course, graded, points, works, tmp_path
):
    machine = container(tmp_path / "gradescope", course, graded)
    setup = machine.run("setup.sh")
    assert setup.returncode == 0, setup.stderr
    assert "Fit: all" in setup.stdout
    assert "bubblewrap" in (machine.folder / "bin" / "apt-get.log").read_text()
    for student, text in works.items():
        machine.hand_in(text, f"{student} answers (1).ipynb")
        done = machine.run("run_autograder")
        assert done.returncode == 0, done.stderr
        results, expected = machine.results(), points[student]
        assert (results["score"], results["tests"]) == (expected["score"], expected["tests"])


@AS_ROOT
@LONG
@pytest.mark.sandbox
def test_without_namespaces_a_submission_is_refused_or_runs_under_an_account_that_reads_no_answer(
    course, graded, points, works, tmp_path
):
    refusing = container(tmp_path / "refusing", course, graded, boxed=True)
    refusing.hand_in(works["ada"])
    done = refusing.run("run_autograder")
    assert done.returncode == 3
    assert "No permissions to create new namespace" in done.stderr
    assert "--without-bubblewrap account" in done.stderr
    assert not (refusing.home / "results" / "results.json").exists()
    machine = container(tmp_path / "account", course, graded, "--without-bubblewrap", "account", boxed=True)
    for student, text in works.items():
        machine.hand_in(text)
        done = machine.run("run_autograder")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "under an account of its own, as the instructor decided" in done.stdout
        results, expected = machine.results(), points[student]
        assert (results["score"], results["tests"]) == (expected["score"], expected["tests"]), student
        assert results["output"].endswith(KEPT["account"])
    (machine.home / "source" / "gradescope.json").chmod(0o644)
    shutil.copyfile(machine.home / "source" / "seq2seq" / "small.py", machine.home / "left.py")
    (machine.home / "left.py").chmod(0o644)
    machine.hand_in(works["ben"])
    done = machine.run("run_autograder")
    assert done.returncode == 3
    assert "Not fit: learners' code could read the private file" in done.stderr
    assert not (machine.home / "results" / "results.json").exists()


@AS_ROOT
@LONG
@pytest.mark.sandbox
def test_the_doctor_says_what_an_account_keeps_and_what_it_does_not(course, graded, tmp_path):
    machine = container(tmp_path / "account", course, graded, boxed=True)
    Home(machine.home).hide()
    doctor = ["-m", "autograder", "doctor", "--sandbox", "account", "--json", "--root", "/autograder/source"]
    done = machine.run("/bin/sh", "-c", f"cd source && exec /autograder/venv/bin/python {' '.join(doctor)}")
    findings = {finding["name"]: finding for finding in json.loads(done.stdout)["findings"]}
    broken = {name for name, finding in findings.items() if finding["status"] == "broken"}
    assert broken == BROKEN, "\n".join(str(findings[name]) for name in broken ^ BROKEN)
    assert set(PROMISES) <= set(findings)
    section = (ROOT / "SECURITY.md").read_text("utf-8").partition("## What an account keeps")[2].partition("##")[0]
    assert [name for name in (*BROKEN, "no network") if f'"{name}"' not in section] == []


def test_the_zip_is_the_same_each_time_and_holds_one_exercise_and_the_classs_seed(
    course, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    line = ["gradescope", NAME, "--root", str(course)]
    assert main(line) == 0
    path = Path("build/gradescope") / f"{NAME}.zip"
    assert "without bubblewrap: refuse" in capsys.readouterr().out
    first = path.read_bytes()
    assert main(line) == 0
    assert path.read_bytes() == first
    assert stat.S_IMODE(path.stat().st_mode) == 0o600  # it holds the answers
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
        decisions = Decisions(**json.loads(archive.read("gradescope.json")))
    assert {"setup.sh", "run_autograder"} == {name for name, mode in modes.items() if mode == 0o755}
    assert [name for name in names if name.startswith("solutions/")] == [f"solutions/{NAME}.py"]
    with Store(Path("grades")) as store:
        assert decisions == Decisions(NAME, store.seed(), "refuse")


def test_of_a_class_it_has_the_exercise_and_the_classs_own_tasks(tmp_path, monkeypatch, only_tasks_of_the_course):
    monkeypatch.chdir(tmp_path)
    assert main(["new-class", "autumn"]) == 0
    monkeypatch.chdir(tmp_path / "autumn")
    Path("tasks/centring.py").write_text("")
    Path("solutions/17_centring.py").write_text("# ---\n# jupyter:\n#   course: {title: Centred}\n# ---\n")
    for name in ("05_scorers", "17_centring"):  # the course's, and one of its own; neither is built yet
        write_zip(Path.cwd(), Decisions(name, 1), Path("autograder.zip"))
        with zipfile.ZipFile("autograder.zip") as archive:
            names = set(archive.namelist())
        assert {f"solutions/{name}.py", "autograder/tasks/centring.py", "_config.yml", "constraints.txt"} <= names


def test_it_asks_for_what_grading_needs_and_for_the_pinned_torch():
    lines = list(requirements())
    assert lines[0].startswith("torch==")
    assert [line for line in lines if line.startswith(("torch", "dask", "learning-to-align"))] == lines[:1]
    assert any(line.startswith("nbgrader") for line in lines)


@pytest.mark.parametrize(
    ("line", "words"), [(["gradescope"], "which exercise?"), (["gradescope", "99_none"], "no assignment '99_none'")]
)
def test_what_cannot_be_made_is_told_in_a_line(course, tmp_path, monkeypatch, capsys, line, words):
    monkeypatch.chdir(tmp_path)
    assert main([*line, "--root", str(course)]) == 2
    assert words in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []
