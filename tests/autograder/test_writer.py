"""Our writer and nbgrader's own converters: the same rows, the same graded notebooks, the same pages."""

import json
import warnings
from pathlib import Path

import nbformat
import pytest
from nbconvert.exporters import NotebookExporter
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde, GenerateFeedback
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import AssignLatePenalties, LimitOutput, NbGraderPreprocessor, SaveAutoGrades
from small_course import NAME, FakeJudge
from sqlalchemy.exc import SAWarning

from autograder.authoring.assignment import load
from autograder.gradebook.graded_notebook import insert_verdict
from autograder.gradebook.register import register
from autograder.grading.grading_run import Run
from autograder.judging.judge import RetryingJudge
from autograder.judging.store import Store
from autograder.settings import Log, settings
from autograder.submissions.submission import Submission
from tests.gradebook_dump import dump

LATE = "2026-11-21 10:00:00 UTC"
STUDENTS = ("ada", "ben", "cy", "dora", "eve", "finn")


@pytest.fixture(scope="module")
def folder(solved, blank, tmp_path_factory):
    """Right, blank, half right and late, unreadable, with cells gone and cells added, too slow."""
    folder = tmp_path_factory.mktemp("submitted")
    late = solved.replace("return x + x", "return x + x  # half right")
    slow = solved.replace("def double(", "# loops\\ndef double(")
    notebook = nbformat.reads(solved, as_version=4)
    own = [nbformat.v4.new_markdown_cell("my *notes*"), nbformat.v4.new_code_cell("print(1)")]
    notebook.cells = own + [cell for cell in notebook.cells if cell.id != "double"]
    for student, text in zip(STUDENTS, (solved, blank, late, "{", nbformat.writes(notebook), slow), strict=True):
        path = folder / student / NAME / f"{NAME}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    (folder / "cy" / NAME / "timestamp.txt").write_text(LATE)
    return folder


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


def own_parts(config):
    """nbgrader's own preprocessors, the verdict's outputs in the place of an execution."""
    config.Autograde.exporter_class = Genuine
    own = Autograde(coursedir=CourseDirectory())
    config.Autograde.sanitize_preprocessors = own.sanitize_preprocessors
    config.Autograde.autograde_preprocessors = [Insert, LimitOutput, SaveAutoGrades, AssignLatePenalties]


@pytest.fixture(scope="module", params=[own_parts, lambda config: None], ids=["own parts", "plugged in"])
def theirs(course, folder, tmp_path_factory, request):
    """The same class by ``nbgrader autograde`` and ``nbgrader generate_feedback``, with our judge in them."""
    output = tmp_path_factory.mktemp("theirs")
    config, log = settings(course, output), Log()
    config.CourseDirectory.assignment_id = NAME
    config.CourseDirectory.submitted_directory = str(folder)
    config.SubmissionExporter.seed = 1
    request.param(config)
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.judging.judge.Judge", FakeJudge)
        warnings.simplefilter("ignore", SAWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        register(config.CourseDirectory.db_url, load(course, NAME))
        for converter in (Autograde, GenerateFeedback):
            converter(coursedir=CourseDirectory(config=config, log=log.logger), config=config, log=log.logger).start()
    return output


def test_verdicts_are_kept_alike_by_our_command_and_by_nbgraders(ours, course, folder, tmp_path):
    config = settings(course, tmp_path)
    config.CourseDirectory.assignment_id = NAME
    config.CourseDirectory.submitted_directory = str(folder)
    config.SubmissionExporter.seed = 1
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        patch.setattr("autograder.judging.judge.Judge", FakeJudge)
        warnings.simplefilter("ignore", SAWarning)
        warnings.simplefilter("ignore", DeprecationWarning)
        Autograde(coursedir=CourseDirectory(config=config), config=config).start()
    kept = []
    for out in (ours, tmp_path):
        with Store(out) as store:
            kept.append({key: store.get(key).to_record() for key in store.all_keys()})
    assert kept[0] == kept[1]
    assert len(kept[0]) == len(STUDENTS)


def test_the_gradebook_is_that_of_nbgraders_own_converter(ours, theirs):
    book = dump(ours / "gradebook.db")
    assert book == dump(theirs / "gradebook.db")
    assert len(book) == 1 + len(STUDENTS)


@pytest.mark.parametrize("student", STUDENTS)
def test_the_graded_notebook_is_that_of_nbgraders_own_converter(ours, theirs, student):
    paths = [output / "autograded" / student / NAME / f"{NAME}.ipynb" for output in (ours, theirs)]
    assert paths[0].read_text() == paths[1].read_text()
    assert paths[0].stat().st_mode == paths[1].stat().st_mode
    nbformat.validate(json.loads(paths[0].read_text()))


@pytest.mark.parametrize("student", STUDENTS)
def test_the_feedback_is_that_of_nbgraders_own_converter(ours, theirs, student):
    folders = [out / "feedback" / student / NAME for out in (ours, theirs)]
    assert [path.name for path in sorted(folders[0].iterdir())] == [path.name for path in sorted(folders[1].iterdir())]
    texts = [(folder / f"{NAME}.html").read_text() for folder in folders]
    assert texts[0] == texts[1]


def test_a_submission_is_in_the_gradebook_whole_or_not_at_all(course, folder, tmp_path, monkeypatch):
    def fail(*arguments):
        raise RuntimeError("the power is gone")

    with monkeypatch.context() as patch:
        patch.setattr("autograder.gradebook.nbgrader_rows.NbgraderRows._penalise", fail)
        graded = Run(course, tmp_path, maker=FakeJudge, seed=1).grade(folder)
    assert {one.verdict.status for one in graded} == {"infrastructure"}
    with Gradebook(f"sqlite:///{tmp_path / 'gradebook.db'}") as gradebook:
        assert gradebook.students == []
        assert gradebook.assignment_submissions(NAME) == []
    grade(course, folder, tmp_path)
    assert len(dump(tmp_path / "gradebook.db")) == 1 + len(STUDENTS)


@pytest.mark.parametrize("kind", ["feedback", "autograded"])
def test_a_file_that_was_cut_off_or_lost_is_written_again(course, folder, ours, kind):
    (path,) = (ours / kind / "ada" / NAME).glob("*.html" if kind == "feedback" else "*.ipynb")
    whole = path.read_text()
    path.chmod(0o644)
    path.write_text(whole[:100])
    grade(course, folder, ours)
    assert path.read_text() == whole
    path.unlink()
    grade(course, folder, ours)
    assert path.read_text() == whole


def test_what_is_written_and_unchanged_is_left_alone(course, folder, ours):
    pages = sorted((ours / "feedback").rglob("*.html"))
    before = [path.stat().st_mtime_ns for path in pages]
    grade(course, folder, ours)
    assert [path.stat().st_mtime_ns for path in pages] == before
