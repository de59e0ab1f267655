"""Nothing private is seen in a box, and whoever grades is told so before a learner's code runs: by content."""

import os
import shutil
import site
import sys
import sysconfig
from pathlib import Path
from types import SimpleNamespace

import pytest
from learners import ROOT
from nbgrader.apps.api import NbGraderAPI

from autograder.__main__ import main
from autograder.assignments import build
from autograder.sandbox import bubblewrap, proof, sandboxes, search
from autograder.sandbox.distributions import packages
from autograder.sandbox.errors import SandboxUnavailable, Unfit
from autograder.settings import class_folders, settings
from tests.small_course import NAME, make

pytestmark = pytest.mark.sandbox
WORK = "# what a learner has written, and nobody else may read: an answer of a kind that nobody else has\n"


@pytest.fixture
def course(tmp_path):
    """A small course with a class beside it."""
    shutil.copytree(ROOT / "autograder" / "sandbox", tmp_path / "course" / "autograder" / "sandbox")
    for name in ("autograder/checking", "seq2seq/layers", "solutions"):
        shutil.copytree(ROOT / name, tmp_path / "course" / name)
    for path in (ROOT / "autograder").glob("*.py"):
        shutil.copy(path, tmp_path / "course" / "autograder")
    for name in ("submitted/ada/01/01.ipynb", "grades/gradebook.db"):
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(WORK + name)
    return tmp_path / "course"


@pytest.fixture
def hole(monkeypatch):
    """``hole(source, path)``: a box that shows ``source`` at ``path`` as well."""
    whole = bubblewrap.shown

    def hole(source, path):
        monkeypatch.setattr(bubblewrap, "shown", lambda listed: [*whole(listed), "--ro-bind", str(source), path])

    return hole


def shown(course, *folders):
    return [(copy.shown, copy.private) for copy in proof.exposed(course, "bubblewrap", folders)]


def test_a_box_shows_no_copy_of_a_reference_a_check_a_submission_or_a_grade(course):
    proof.require_fit(course, course.parent / "submitted", course.parent / "grades")


@pytest.mark.parametrize("name", ["solutions/05_scorers.py", "seq2seq/layers/gru.py", "autograder/checking/explain.py"])
def test_a_copy_of_what_the_course_knows_is_found_under_any_name(course, hole, tmp_path, name):
    if not (course / name).exists():
        name = str(next((course / "seq2seq" / "layers").glob("[a-z]*.py")).relative_to(course))
    shutil.copy(course / name, tmp_path / "copy")
    hole(tmp_path / "copy", "/usr/share/zoneinfo.txt")
    assert shown(course) == [("/usr/share/zoneinfo.txt", course / name)]
    with pytest.raises(
        Unfit, match=r"^Not fit: .*/copy|^Not fit: .*zoneinfo\.txt; expected none\. .* not be run here\."
    ):
        proof.require_fit(course)


def test_another_learners_file_that_only_the_grader_may_read_is_found(course, hole):
    folder = course.parent / "submitted"
    (folder / "ada" / "01" / "01.ipynb").chmod(0o600)
    hole(folder, "/usr/local/share/nbgrader/exchange")
    assert shown(course, folder) == [
        ("/usr/local/share/nbgrader/exchange/ada/01/01.ipynb", folder / "ada" / "01" / "01.ipynb")
    ]
    assert shown(course) == []


def test_a_copy_of_a_public_file_does_not_stop_the_grading_and_links_and_pipes_are_left_alone(course):
    folder = course.parent / "submitted"
    shutil.copy(os.__file__, folder / "ada" / "01" / "os.ipynb")
    (folder / "ada" / "link").symlink_to("/etc/passwd")
    os.mkfifo(folder / "ada" / "pipe")
    assert {os.path.basename(path) for _, path in search.files(str(folder))} == {"01.ipynb", "os.ipynb"}
    assert shown(course, folder) == []


def test_a_course_or_a_class_in_a_folder_that_the_sandbox_shows_is_refused_in_one_line(course):
    standard, torch = Path(sysconfig.get_path("stdlib")), packages().entries["torch"]
    for folders in ((standard / "json" / "course",), (torch / "course",), (course, standard / "submitted")):
        with pytest.raises(Unfit, match=r"expected a folder outside it\..*Move it to") as caught:
            proof.require_fit(*folders)
        assert str(caught.value).count("\n") == 0
    beside = ["/usr/src/app", "/usr/local/share/nbgrader/exchange", ROOT]
    beside += [Path(folder) / "course" for folder in site.getsitepackages([sys.base_prefix]) if Path(folder).is_dir()]
    assert [path for path in beside if proof.misplaced(Path(path), "bubblewrap", ())] == []
    assert proof.misplaced(standard, "podman", ()) == ""


def test_a_search_that_does_not_end_is_no_proof(course, monkeypatch):
    monkeypatch.setitem(sandboxes.SEARCHES, "bubblewrap", lambda *rest: "bwrap: no permissions\n")
    with pytest.raises(SandboxUnavailable, match="bwrap: no permissions"):
        proof.exposed(course, "bubblewrap", ())


COMMANDS = (["grade", "submitted"], ["regrade"], ["check", "01.ipynb"], ["doctor"])


@pytest.mark.parametrize("command", COMMANDS, ids=[command[0] for command in COMMANDS])
def test_each_command_that_runs_learners_code_says_what_doctor_says_and_runs_nothing(
    course, hole, monkeypatch, capsys, command
):
    folder = course.parent
    monkeypatch.chdir(folder)
    (folder / "01.ipynb").write_text("{}")
    hole(course / "solutions" / "05_scorers.py", "/usr/share/left.py")
    monkeypatch.setattr("autograder.judging.judge.Judge.__enter__", lambda judge: pytest.fail("a judge was started"))
    monkeypatch.setattr("autograder.sandbox.self_test._promises", lambda *rest: ())  # the other ones
    status = main([*command, "--root", str(course)])
    out, err = capsys.readouterr()
    assert status == 3
    assert f"learners' code could read the private file {course / 'solutions' / '05_scorers.py'}" in out + err
    assert "Not fit" in out + err
    if command != ["doctor"]:
        assert err.count("\n") == 1


def test_the_exchange_is_where_a_configuration_says_or_where_nbgrader_has_it(tmp_path, monkeypatch):
    monkeypatch.setattr("autograder.settings.CONFIGURATIONS", ())
    monkeypatch.setattr("autograder.settings.DEFAULT_EXCHANGE", tmp_path / "default")
    for name in ("default", "course/submitted", "exchange", "grades"):
        (tmp_path / name).mkdir(parents=True)
    course, grades = tmp_path / "course", tmp_path / "grades"
    assert class_folders(course, grades) == [course / "submitted", grades, tmp_path / "default"]
    (course / "nbgrader_config.py").write_text(f'c = get_config()\nc.Exchange.root = "{tmp_path / "exchange"}"\n')
    assert class_folders(course, grades) == [course / "submitted", grades, tmp_path / "exchange"]


def test_a_worker_of_a_cluster_looks_on_its_own_machine(course, monkeypatch):
    from autograder.grading import worker_judges

    monkeypatch.setattr(worker_judges, "READER", SimpleNamespace(prepare=lambda task: None))
    standard = sysconfig.get_path("stdlib")
    with pytest.raises(Unfit):
        worker_judges.prepared(worker_judges.Course(None, standard, {}))


def test_nbgrader_autograde_runs_nothing_either(hole, tmp_path, monkeypatch):
    course = make(tmp_path / "course")
    build.build(course)
    path = course / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    path.parent.mkdir(parents=True)
    shutil.copy(course / "exercises" / NAME / path.name, path)
    (course / "grades").mkdir()
    hole(course / "solutions" / f"{NAME}.py", "/usr/share/left.py")
    monkeypatch.setattr("autograder.judging.judge.Judge.__enter__", lambda judge: pytest.fail("a judge was started"))
    done = NbGraderAPI(config=settings(course, course / "grades")).autograde(NAME, "ada", force=True, create=True)
    assert done["success"] is False
    assert "Not fit: learners' code could read the private file" in done["log"]
