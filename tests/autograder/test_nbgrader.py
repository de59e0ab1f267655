"""Our writer and nbgrader's own converters: the same rows, notebooks and pages; who cannot be graded is named."""

import json
import os
import shutil
import subprocess
import sys
import warnings
from datetime import datetime
from pathlib import Path

import nbformat
import pytest
from nbconvert.exporters import NotebookExporter
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties, LimitOutput, NbGraderPreprocessor, SaveAutoGrades
from small_course import NAME, ROOT, FakeJudge, hand_in_all, make
from sqlalchemy.exc import SAWarning

from autograder.assignments import build
from autograder.assignments.assignment import load
from autograder.gradebook.graded_notebook import insert_verdict
from autograder.gradebook.register import register
from autograder.grading.grading_run import Run
from autograder.judging.judge import RetryingJudge
from autograder.settings import Log, settings
from autograder.store.verdicts import Store
from autograder.submissions.submission import Submission
from tests.gradebooks import dump, opened

LATE = "2026-11-21 10:00:00 UTC"
STUDENTS = ("ada", "ben", "cy", "dora", "eve", "finn")
LEFT_OUT = {
    **dict.fromkeys((r"'b\nen'", r"'e\x1b[31m'"), "its name has characters that cannot be printed"),
    "'dddd": "its name has 251 characters, at most 128 fit into a gradebook",
    **{r"'c\udcff'": "its name is not UTF-8", "'fay'": "it is a link, expected a folder"},
}


@pytest.fixture(scope="module")
def folder(solved, blank, tmp_path_factory):
    """Right, blank, half right and late, unreadable, with cells gone and cells added, too slow."""
    late = solved.replace("return x + x", "return x + x  # half right")
    slow = solved.replace("def double(", "# loops\\ndef double(")
    notebook = nbformat.reads(solved, as_version=4)
    cells = [nbformat.v4.new_markdown_cell("my *notes*"), nbformat.v4.new_code_cell("print(1)")]
    notebook.cells = cells + [cell for cell in notebook.cells if cell.id != "double"]
    works = dict(zip(STUDENTS, (solved, blank, late, "{", nbformat.writes(notebook), slow), strict=True))
    return hand_in_all(tmp_path_factory.mktemp("class"), works, cy=LATE)


def grade(course, folder, output):
    Run(course, output, maker=FakeJudge, seed=1).grade(folder)
    return output


@pytest.fixture(scope="module")
def ours(course, folder, tmp_path_factory):
    return grade(course, folder, tmp_path_factory.mktemp("ours"))


class Genuine(NotebookExporter):
    """Gives nbgrader's own preprocessors the mended submission, and the verdict to :class:`Insert`."""

    def from_filename(self, filename, resources=None, **kw):
        if not self.parent._sanitizing:
            return super().from_filename(filename, resources, **kw)
        assignment = load(Path(self.parent.coursedir.root), NAME)
        submission = Submission.read(Path(filename).read_bytes(), assignment)
        self.verdict = RetryingJudge(assignment, Path()).verdict(submission, 1)
        resources["metadata"] = {"name": NAME, "path": ""}
        return self.from_notebook_node(submission.notebook(), resources, **kw)


class Insert(NbGraderPreprocessor):
    def preprocess(self, nb, resources):
        insert_verdict(nb, self.parent.verdict)
        return nb, resources


def by_nbgrader(config):
    """nbgrader's own preprocessors, the verdict's outputs in the place of an execution."""
    config.Autograde.exporter_class = Genuine
    config.Autograde.sanitize_preprocessors = Autograde(coursedir=CourseDirectory()).sanitize_preprocessors
    config.Autograde.autograde_preprocessors = [Insert, LimitOutput, SaveAutoGrades, AssignLatePenalties]


def convert(course, folder, output, *converters, change=lambda config: None):
    """What nbgrader's commands and formgrader's buttons do."""
    config, log = settings(course, output), Log()
    config.CourseDirectory.assignment_id = NAME
    config.CourseDirectory.submitted_directory = str(folder)
    config.SubmissionExporter.seed = 1
    change(config)
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.judging.judge.Judge", FakeJudge)
        warnings.simplefilter("ignore", SAWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        if change is by_nbgrader:
            register(config.CourseDirectory.db_url, load(course, NAME))
        for converter in converters:
            coursedir = CourseDirectory(config=config, log=log.logger)
            converter(coursedir=coursedir, config=config, log=log.logger, force=True).start()


@pytest.fixture(scope="module", params=[by_nbgrader, lambda config: None], ids=["own parts", "plugged in"])
def theirs(course, folder, tmp_path_factory, request):
    """The same class by ``nbgrader autograde`` and ``nbgrader generate_feedback``, with our judge in them or beside."""
    output = tmp_path_factory.mktemp("theirs")
    convert(course, folder, output, Autograde, GenerateFeedback, change=request.param)
    return output, request.param is not by_nbgrader


def files_of(output):
    """Every graded notebook and page with its text."""
    paths = [path for kind in ("autograded", "feedback") for path in (output / kind).rglob("*.*")]
    return {path.relative_to(output).as_posix(): path.read_text() for path in paths}


def verdicts_of(output):
    with Store(output) as store:
        return {key: store.get(key).to_record() for key in store.all_keys()}


def test_rows_notebooks_pages_and_verdicts_are_those_of_nbgraders_own_converters(ours, theirs):
    theirs, plugged_in = theirs
    book = dump(ours / "gradebook.db")
    assert book == dump(theirs / "gradebook.db")
    assert len(book) == 1 + len(STUDENTS)
    files, others = files_of(ours), files_of(theirs)
    differ = {name for name in files | others if files.get(name) != others.get(name)}
    assert {name for name in differ if name not in others or not name.endswith("timestamp.txt")} == set()
    notebooks = [name for name in files if name.endswith(".ipynb")]
    assert len(notebooks) == len(STUDENTS)
    for name in notebooks:
        assert (ours / name).stat().st_mode == (theirs / name).stat().st_mode
        nbformat.validate(json.loads(files[name]))
    verdicts = verdicts_of(ours)
    assert len(verdicts) == len(STUDENTS)
    assert verdicts_of(theirs) == (verdicts if plugged_in else {})


@pytest.mark.parametrize(("comment", "waits"), [("", False), ("  # mended", True)], ids=["unchanged", "changed"])
def test_an_answer_graded_by_hand_waits_again_after_the_button_only_if_it_has_changed(
    course, solved, tmp_path, comment, waits
):
    hand_in_all(tmp_path, {"ada": solved})
    convert(course, tmp_path / "submitted", tmp_path, Autograde)
    with opened(tmp_path) as gradebook:
        given = gradebook.find_grade("double_right", NAME, NAME, "ada")
        given.manual_score, given.needs_manual_grade = 1.25, False
    hand_in_all(tmp_path, {"ada": solved.replace("return x + x", f"return x + x{comment}")})
    convert(course, tmp_path / "submitted", tmp_path, Autograde)
    grades = dump(tmp_path / "gradebook.db")[f"{NAME}/ada"]["grades"]
    assert grades[f"{NAME}/double_right"][1:3] == (1.25, waits)


def test_a_file_that_was_cut_off_or_lost_is_written_again_and_the_others_are_left_alone(course, folder, ours):
    page, notebook = (next(ours.glob(f"{kind}/ada/{NAME}/{NAME}.*")) for kind in ("feedback", "autograded"))
    before = {path: path.stat().st_mtime_ns for path in ours.glob("feedback/*/*/*.html") if path != page}
    texts = [path.read_text() for path in (page, notebook)]
    for damage in (lambda path: path.write_text(path.read_text()[:100]), lambda path: path.unlink()):
        for path in (page, notebook):
            path.chmod(0o644)
            damage(path)
        grade(course, folder, ours)
        assert [path.read_text() for path in (page, notebook)] == texts
    assert {path: path.stat().st_mtime_ns for path in before} == before


@pytest.fixture
def plain(tmp_path):
    """Runs ``nbgrader autograde`` in a course with the project's configuration, in which late work gets nothing."""
    course = make(tmp_path / "course")
    build.build(course)
    (course / "grades").mkdir()
    config = (ROOT / "nbgrader_config.py").read_text("utf-8")
    assert 'penalty_method = "none"' in config
    (course / "nbgrader_config.py").write_text(config.replace('method = "none"', 'method = "zero"'), encoding="utf-8")

    def plain(path):
        line = [sys.executable, "-m", "nbgrader", "autograde", NAME]
        environment = {"PATH": path, "HOME": str(tmp_path)}
        return subprocess.run(line, cwd=course, env=environment, capture_output=True, text=True, timeout=1500)

    plain.course = course
    return plain


def due(output):
    with opened(output) as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate=datetime(2026, 11, 20, 12))


@pytest.mark.sandbox
def test_the_command_gives_the_same_points_and_penalties_and_names_who_cannot_be_graded(plain, solved, blank, tmp_path):
    """Under the search path of a machine where the environment was not activated."""
    works = {"ada": solved, "ben": blank, "cy": "{", "dan": "\ufeff" + solved, "zoe": solved.replace("x + x", "x")}
    odd = ("b\nen", os.fsdecode(b"c\xff"), "d" * 251, "e\x1b[31m")
    folder = hand_in_all(plain.course, works | dict.fromkeys(odd, solved), dan=LATE)
    (folder / "fay").symlink_to(folder / "ada")
    due(plain.course / "grades")
    done = plain(os.defpath)
    assert done.returncode == 1
    for start, reason in LEFT_OUT.items():
        lines = [line for line in done.stderr.splitlines() if f"Left out {start}" in line and reason in line]
        assert lines, done.stderr
    assert "\x1b" not in done.stdout + done.stderr
    assert "SAWarning" not in done.stderr
    theirs = dump(plain.course / "grades" / "gradebook.db")
    assert {student: theirs[f"{NAME}/{student}"]["score"] for student in works} == (
        {"ada": 4.5, "ben": 0.0, "cy": 0.0, "dan": 4.5, "zoe": 2.5}
    )
    assert theirs[f"{NAME}/dan"]["penalties"] == [4.5]
    Run(plain.course, tmp_path / "ours").grade(folder)
    due(tmp_path / "ours")
    Run(plain.course, tmp_path / "ours").grade(folder)
    assert dump(tmp_path / "ours" / "gradebook.db") == theirs


@pytest.mark.sandbox
def test_without_a_sandbox_the_command_grades_nothing(plain, solved, tmp_path):
    hand_in_all(plain.course, {"ada": solved})
    (tmp_path / "bin").mkdir()
    for tool in ("alembic", "prlimit", "env"):
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool) or Path(sys.executable).parent / tool)
    done = plain(str(tmp_path / "bin"))
    assert done.returncode == 1
    assert [words for words in ("Nothing was graded", "bwrap") if words not in done.stderr] == []
    assert not (plain.course / "grades" / "gradebook.db").exists()
