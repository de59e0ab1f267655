"""A gradebook that is no gradebook, damaged, old, or locked: told in one line, and nothing lost."""

import sqlite3
import subprocess
import sys
from contextlib import closing

import pytest
from nbgrader.api import Gradebook

from autograder.gradebook import book as books
from autograder.gradebook import database
from autograder.gradebook.book import Book
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


def changed(book, statement):
    with closing(sqlite3.connect(book)) as connection:
        connection.execute(statement)
        connection.commit()


def overwritten(book, start, length=None):
    """With zeros up to the end, or cut off there."""
    data = book.read_bytes()
    book.write_bytes(data[:start] + bytes(len(data) - start if length is None else length))


def replaced(book, make):
    book.unlink()
    make(book)


DAMAGES = {
    "garbage": (lambda book: book.write_bytes(b"garbage " * 1000), "is not an SQLite database.*keep it"),
    "pages of zeros": (lambda book: overwritten(book, 4096), "damaged"),
    "cut off": (lambda book: overwritten(book, book.stat().st_size // 2, 0), "damaged"),
    "a student who was renamed in it": (
        lambda book: changed(book, "UPDATE student SET id = 'Ada' WHERE id = 'ada'"),
        "has submissions of 'ada' but no such student.*upper or lower case",
    ),
    "another program's": (
        lambda book: replaced(book, lambda path: changed(path, "CREATE TABLE recipes (name)")),
        "a database but not a gradebook",
    ),
    "a folder": (lambda book: replaced(book, lambda path: path.mkdir()), "is not a file"),
    "an older schema": (
        lambda book: changed(book, "UPDATE alembic_version SET version_num = '50a4d84c131a'"),
        "another version of nbgrader.*nbgrader db upgrade",
    ),
    "no schema": (
        lambda book: changed(book, "DROP TABLE alembic_version"),
        "another version of nbgrader.*nbgrader db upgrade",
    ),
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


@pytest.mark.parametrize("change", [lambda book: book.write_bytes(b""), lambda book: book.rename(f"{book}.kept")])
def test_without_a_gradebook_it_is_written_anew_and_nothing_is_judged(grade, book, whole, change):
    change(book)
    grade()
    assert Counting.judged == 0
    assert differences(book.parent, whole) == []


def test_a_gradebook_of_this_nbgrader_passes_and_none_at_all_does(book, tmp_path):
    assert Book.below(book.parent).examine()
    assert not Book.below(tmp_path).examine()


def test_asking_for_the_schema_prints_nothing():
    """Another library sets up logging to stderr, and alembic has much to say."""
    code = "import autograder.gradebook.writer\nfrom autograder.gradebook import database\ndatabase.head()"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_new_one_appears_whole(grade, tmp_path, monkeypatch):
    """A process that dies while the tables are made leaves none of them."""
    monkeypatch.setattr(database, "head", lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        grade()
    assert not (tmp_path / "out" / "gradebook.db").exists()
    assert unfinished(tmp_path / "out") == []


def test_a_new_one_is_as_nbgrader_would_make_it(tmp_path):
    def schema(path):
        with closing(sqlite3.connect(path)) as connection:
            tables = connection.execute("SELECT sql FROM sqlite_master ORDER BY name").fetchall()
            return tables, connection.execute("SELECT * FROM alembic_version").fetchall()

    Book.at(f"sqlite:///{tmp_path / 'ours.db'}").create()
    with Gradebook(f"sqlite:///{tmp_path / 'theirs.db'}"):
        pass
    assert schema(tmp_path / "ours.db") == schema(tmp_path / "theirs.db")


def test_a_lost_gradebooks_journal_is_not_played_into_the_new_one(grade, book, whole):
    with closing(sqlite3.connect(book, isolation_level=None)) as connection:
        connection.execute("PRAGMA cache_size = 1")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("UPDATE grade SET auto_score = 99")
        journal = book.with_name("gradebook.db-journal")
        left = journal.read_bytes()
        connection.execute("ROLLBACK")
    book.unlink()
    journal.write_bytes(left)
    grade()
    assert differences(book.parent, whole) == []


CHANGE = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
connection.execute("UPDATE grade SET auto_score = 99")
connection.execute("UPDATE comment SET auto_comment = hex(randomblob(9000))")
os.kill(os.getpid(), 9)
"""


def test_a_process_killed_within_a_transaction_changes_nothing(grade, book, whole):
    assert subprocess.run([sys.executable, "-c", CHANGE, str(book)]).returncode == -9
    assert book.with_name("gradebook.db-journal").stat().st_size > 0
    grade()
    assert Counting.judged == 0
    assert differences(book.parent, whole) == []


HOLD = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute(f"BEGIN {sys.argv[2]}")
print("held", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def hold(book):
    """Another program, which locks the gradebook until its input ends."""
    programs = []

    def hold(kind):
        command = [sys.executable, "-c", HOLD, str(book), kind]
        programs.append(subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True))
        assert programs[-1].stdout.readline() == "held\n"
        return programs[-1]

    yield hold
    for process in programs:
        process.kill()
        process.communicate()


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
