"""A gradebook that is no gradebook, damaged, old, or locked: told in one line, and nothing lost."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import create_engine

from autograder.__main__ import main
from autograder.gradebook import book as books
from autograder.gradebook import database
from autograder.gradebook.book import Book, FileBook
from autograder.gradebook.database import GradebookError
from autograder.grading.grading_run import Run
from tests.faults.small_class import Counting, differences, outcome, stored, unfinished


@pytest.fixture
def grade(course, pair, tmp_path):
    def grade(output="out", **options):
        Counting.judged = 0
        return Run(course, tmp_path / output, maker=Counting, **options).grade(pair)

    return grade


@pytest.fixture
def book(output):
    return output / "gradebook.db"


def sql(statement):
    def change(book):
        with closing(sqlite3.connect(book)) as connection:
            connection.execute(statement)
            connection.commit()

    return change


def replaced(book, make):
    book.unlink()
    make(book)


OLD = "another version of nbgrader.*nbgrader db upgrade"
RENAMED = "has submissions of 'ada' but no such student.*upper or lower case"
DAMAGES = {
    "garbage": (lambda book: book.write_bytes(b"garbage " * 1000), "is not an SQLite database.*keep it"),
    "pages of zeros": (lambda book: [os.truncate(book, size) for size in (4096, book.stat().st_size)], "damaged"),
    "cut off": (lambda book: os.truncate(book, book.stat().st_size // 2), "damaged"),
    "a student who was renamed in it": (sql("UPDATE student SET id = 'Ada' WHERE id = 'ada'"), RENAMED),
    "another program's": (lambda book: replaced(book, sql("CREATE TABLE x (y)")), "a database but not a gradebook"),
    "a folder": (lambda book: replaced(book, Path.mkdir), "is not a file"),
    "an older schema": (sql("UPDATE alembic_version SET version_num = '50a4d84c131a'"), OLD),
    "no schema": (sql("DROP TABLE alembic_version"), OLD),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_or_foreign_file_is_told_before_anything_is_judged_and_left_alone(grade, book, damage):
    make, message = DAMAGES[damage]
    make(book)
    before = book.is_file() and book.read_bytes()
    with pytest.raises(GradebookError, match=message):
        grade()
    assert Counting.judged == 0
    assert (book.is_file() and book.read_bytes()) == before


def test_one_that_may_not_be_read_is_not_called_damaged_and_nobody_is_told_to_move_it_away(grade, book, monkeypatch):
    def forbidden(book):
        raise sqlite3.OperationalError("unable to open database file")

    monkeypatch.setattr(FileBook, "_connect", forbidden)
    with pytest.raises(GradebookError, match="cannot be opened or written: it or its folder is read-only") as raised:
        grade()
    assert "Move it away" not in str(raised.value)


KILLED = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
connection.execute("UPDATE grade SET auto_score = 99")
connection.execute("UPDATE comment SET auto_comment = hex(randomblob(9000))")
os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("lost", ["nothing", "its text", "the file"])
@pytest.mark.parametrize("within", ["no transaction", "a transaction"])
def test_what_another_program_leaves_or_loses_is_written_anew_and_nothing_is_judged(grade, book, whole, lost, within):
    """Also the journal of a killed program: it is undone, or goes with the gradebook that it belongs to."""
    if within == "a transaction":
        assert subprocess.run([sys.executable, "-c", KILLED, str(book)]).returncode == -signal.SIGKILL
        assert book.with_name("gradebook.db-journal").stat().st_size > 0
    if lost == "its text":
        book.write_bytes(b"")
    elif lost == "the file":
        book.unlink()
    grade()
    assert Counting.judged == 0
    assert differences(book.parent, whole) == []


def test_asking_for_the_schema_prints_nothing_and_a_new_one_without_it_does_not_appear(grade, tmp_path, monkeypatch):
    """Another library sets up logging to stderr, and alembic has much to say."""
    code = "import autograder.gradebook.writer\nfrom autograder.gradebook import database\ndatabase.head()"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    monkeypatch.setattr(database, "head", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        grade()
    assert not (tmp_path / "out" / "gradebook.db").exists()
    assert unfinished(tmp_path / "out") == []


def test_a_new_one_is_as_nbgrader_would_make_it_and_passes_as_none_at_all_does(tmp_path):
    def schema(path):
        with closing(sqlite3.connect(path)) as connection:
            tables = connection.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
            return tables, connection.execute("SELECT * FROM alembic_version").fetchall()

    assert not Book.below(tmp_path).examine()
    Book.below(tmp_path).create()
    assert Book.below(tmp_path).examine()
    Gradebook(f"sqlite:///{tmp_path / 'theirs.db'}").close()
    assert schema(tmp_path / "gradebook.db") == schema(tmp_path / "theirs.db")


HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute(f"BEGIN {sys.argv[2]}")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def hold(book, holding):
    return lambda kind: holding(HOLD, book, kind)


@pytest.mark.parametrize("kind", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_lock_is_waited_for_and_said(grade, hold, kind, tmp_path):
    steps = []
    program = hold(kind)

    def step(name, *progress):
        steps.append(name)
        if name == books.WAITING and not program.stdin.closed:
            program.communicate()

    grade(seed=2, step=step)
    assert books.WAITING in steps
    assert Counting.judged == 2
    grade(output="fresh", seed=2)
    assert outcome(tmp_path / "out")["gradebook"] == outcome(tmp_path / "fresh")["gradebook"]


def test_a_lock_that_stays_is_told_and_the_verdicts_are_kept(grade, hold, book, monkeypatch):
    monkeypatch.setattr(books, "WAIT_SECONDS", 1)
    hold("EXCLUSIVE")
    with pytest.raises(GradebookError, match=r"stays locked by another program.*all verdicts are kept"):
        grade(seed=2)
    assert len(stored(book.parent)) == 4
    assert Counting.judged == 2


def test_every_command_that_reads_a_locked_gradebook_says_so(course, output, book, hold, capsys, monkeypatch):
    impatient = partial(create_engine, connect_args={"timeout": 0})
    monkeypatch.setattr("nbgrader.api.create_engine", impatient)
    hold("EXCLUSIVE")
    for line in ("feedback", "report", "export --to csv"):
        assert main([*line.split(), "--root", str(course), "--output", str(output)]) == 1
        message = capsys.readouterr().err.splitlines()[-1]
        assert message.startswith(f"{line.split()[0]}: {book} stays locked by another program (")
