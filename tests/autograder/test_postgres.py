"""A gradebook on a Postgres server holds what a file holds, whichever way it is named."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from nbgrader.api import MissingEntry
from small_course import NAME, ROOT, FakeJudge, hand_in_all
from sqlalchemy import create_engine, text
from sqlalchemy.pool import NullPool

from autograder.__main__ import main
from autograder.gradebook.book import Book
from autograder.gradebook.database import GradebookError
from autograder.grading.grading_run import Run
from autograder.settings import configured
from benchmarks.grading.postgres import server
from tests.gradebooks import dump, opened

COMMANDS = "report --json", "export --to csv --file a.csv", "feedback --format json"
SILENT = {
    "postgresql://ada:secret@/class?host=/nowhere": "No such file or directory",
    "mysql:///course": "begins with 'mysql', expected sqlite:///FILE or postgresql://",
}


def asked(address, statement):
    """The first column of what the database answers."""
    engine = create_engine(address, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        answer = connection.execute(text(statement))
        return answer.scalars().all() if answer.returns_rows else []


@pytest.fixture(scope="module")
def running():
    with server() as address:
        yield address


@pytest.fixture
def address(running, request):
    """A fresh database on the server."""
    return fresh(running, abs(hash(request.node.nodeid)))


def fresh(running, number, template="template1"):
    asked(running, f"CREATE DATABASE of_{number} TEMPLATE {template}")
    return running.replace("/class?", f"/of_{number}?")


@pytest.fixture(scope="module")
def folder(tmp_path_factory, solved, blank):
    """A class of four: right, blank, half right, unreadable; one of them late."""
    half = solved.replace("return x + x", "return 2 * x  # half right")
    works = {"ada": solved, "ben": blank, "cas": half, "eva": "{"}
    return hand_in_all(tmp_path_factory.mktemp("class"), works, ada="2026-11-20 12:00:00 UTC")


@pytest.fixture(scope="module")
def file(course, folder, tmp_path_factory):
    """The class, graded into a file: its output folder."""
    output = tmp_path_factory.mktemp("file")
    Run(course, output, maker=FakeJudge, seed=7).grade(folder)
    return output


@pytest.fixture(scope="module")
def graded(course, folder, running, tmp_path_factory):
    """The class, graded into a database: its address and output folder."""
    output, address = tmp_path_factory.mktemp("database"), fresh(running, 0)
    Run(course, output, maker=FakeJudge, seed=7, database=address).grade(folder)
    return address, output


def test_it_says_what_a_file_says_and_a_second_run_judges_nothing_and_changes_nothing(course, folder, file, graded):
    address, output = graded
    book = dump(address)
    assert book == dump(file / "gradebook.db")
    assert len(book) == 5
    assert not (output / "gradebook.db").exists()
    pages = [[path.read_bytes() for path in sorted(folder.rglob("feedback/**/*.html"))] for folder in (file, output)]
    assert pages[0] == pages[1]
    assert len(pages[0]) == 4
    indexes = set(asked(address, "SELECT indexname FROM pg_indexes"))
    assert {"ix_grade_notebook_id", "ix_comment_notebook_id", "ix_submitted_notebook_assignment_id"} <= indexes
    FakeJudge.started = 0
    assert all(submission.reused for submission in Run(course, output, maker=FakeJudge, database=address).grade(folder))
    assert (FakeJudge.started, dump(address)) == (0, book)


def test_every_command_reads_it(course, running, file, graded, tmp_path, monkeypatch, capsys):
    address, output, outcomes = fresh(running, 1, "of_0"), graded[1], []
    for name, options in ((file, []), (output, ["--database", address])):
        copy = shutil.copytree(name, tmp_path / str(len(outcomes)) / "grades")
        monkeypatch.chdir(copy.parent)
        with Book.of(course, copy, *options[1:]).open() as gradebook:
            gradebook.find_grade("double_right", NAME, NAME, "ben").manual_score = 1.25
            gradebook.db.commit()
        for command in COMMANDS:
            assert main([*command.split(), "--root", str(course), "--output", str(copy), *options]) == 0
        lines = capsys.readouterr().out.replace(str(copy), "").splitlines()
        files = sorted([*Path().glob("*.csv"), *(copy / "feedback").rglob("*.json")])
        timeless = [line for line in lines if '"seconds"' not in line and "0." not in line]
        outcomes.append((timeless, [path.read_bytes() for path in files]))
    assert outcomes[0] == outcomes[1]
    assert len(outcomes[1][1]) == 5
    assert all("1.25" in str(part) for part in outcomes[1])


INSTRUCTOR = """
import sys
from pathlib import Path
from small_course import FakeJudge
from autograder.grading.grading_run import Run
course, folder, output, address = sys.argv[1:]
run = Run(Path(course), Path(output), maker=FakeJudge, database=address)
print(len(run.grade(Path(folder))), run.drawn)
"""


def test_several_instructors_and_a_person_who_gives_points_share_one_without_stepping_on_each_other(
    course, address, solved, blank, tmp_path
):
    works = {f"learner{number}": solved if number % 2 else blank for number in range(12)}
    folder = hand_in_all(tmp_path, works)
    Run(course, tmp_path / "alone", maker=FakeJudge, seed=7).grade(folder)
    line = [sys.executable, "-c", INSTRUCTOR, str(course), str(folder)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True, "env": environment, "cwd": tmp_path}
    outputs = [str(tmp_path / name) for name in ("north", "south", "west")]
    instructors = [subprocess.Popen([*line, output, address], **pipes) for output in outputs]
    is_given = give_points(address, "learner0", instructors)
    outcomes = [(*instructor.communicate(), instructor.returncode) for instructor in instructors]
    assert outcomes == outcomes[:1] * 3  # with the same inputs for the checks, though nobody named a seed
    text, *rest = outcomes[0]
    assert (text.split()[0], *rest) == ("12", "", 0)
    assert is_given or give_points(address, "learner0")
    with opened(tmp_path / "alone") as gradebook:
        gradebook.find_grade("double_right", NAME, NAME, "learner0").manual_score = 1.25
    assert scores(address) == scores(tmp_path / "alone" / "gradebook.db")
    again = Run(course, tmp_path / "north", maker=FakeJudge, database=address)
    again.grade(folder)
    assert str(again.drawn) == text.split()[1]
    assert scores(address) == scores(tmp_path / "alone" / "gradebook.db")


def give_points(address, student, instructors=()):
    """As formgrader does, as soon as there is a submission; whether there was one before the instructors were done."""
    while True:
        is_over = all(instructor.poll() is not None for instructor in instructors)
        if Book.at(address).exists():
            with Book.at(address).open() as gradebook, suppress(MissingEntry):
                gradebook.find_grade("double_right", NAME, NAME, student).manual_score = 1.25
                gradebook.db.commit()
                return True
        if is_over:
            return False


def scores(address):
    return {name: about["score"] for name, about in dump(address).items() if isinstance(about, dict)}


def test_the_one_that_the_courses_file_names_is_that_of_its_own_output_alone(tmp_path):
    lines = ["c = get_config()", "from autograder.settings import settings", "from pathlib import Path"]
    lines += [f"c.merge(settings(Path({str(tmp_path)!r}), Path({str(tmp_path / 'grades')!r})))"]
    lines += ['c.CourseDirectory.db_url = "postgresql:///course"']
    (tmp_path / "nbgrader_config.py").write_text("\n".join(lines))
    addresses = [configured(tmp_path, tmp_path / name).CourseDirectory.db_url for name in ("grades", "trial")]
    assert addresses == ["postgresql:///course", f"sqlite:///{tmp_path / 'trial' / 'gradebook.db'}"]
    assert configured(tmp_path, tmp_path / "grades", "postgresql:///x").CourseDirectory.db_url == "postgresql:///x"


@pytest.mark.parametrize(("database", "words"), SILENT.items())
def test_one_that_does_not_answer_is_told_in_one_line_without_its_password(
    database, words, course, folder, tmp_path, capsys
):
    options = ["--root", str(course), "--output", str(tmp_path / "out"), "--database", database]
    assert main(["grade", str(folder), *options]) == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert words in line
    assert "secret" not in line


def test_another_database_is_no_gradebook_and_a_missing_driver_is_named(address, monkeypatch):
    def create(*arguments, **options):
        raise ModuleNotFoundError("No module named 'psycopg'", name="psycopg")

    asked(address, "CREATE TABLE other (id INTEGER)")
    with pytest.raises(GradebookError, match="is a database but not a gradebook"):
        Book.at(address).examine()
    monkeypatch.setattr("sqlalchemy.create_engine", create)
    with pytest.raises(GradebookError, match=r"needs the package psycopg.*pip install"):
        Book.at("postgresql:///course").examine()
