"""A gradebook that is no gradebook, damaged, old, or locked: told in one line, and nothing lost."""

import sqlite3
import subprocess
import sys
import time
from contextlib import closing

import pytest
from nbgrader.api import Gradebook

from autograder.gradebook import book as books
from autograder.gradebook import database
from autograder.gradebook.book import Book
from autograder.gradebook.database import GradebookError
from autograder.grading.grading_run import Run
from tests.faults.crash import stored
from tests.faults.small_class import outcome, unfinished
from tests.small_course import FakeJudge


class Once(FakeJudge):
    """Counts what it judges."""

    judged = 0

    def run(self, job):
        Once.judged += 1
        return super().run(job)


@pytest.fixture
def grade(course, folder, tmp_path):
    def grade(output="out", **options):
        Once.judged = 0
        return Run(course, tmp_path / output, maker=Once, **options).grade(folder)

    return grade


@pytest.fixture
def book(grade, tmp_path):
    grade(seed=1)
    return tmp_path / "out" / "gradebook.db"


def refused(grade, match):
    """The run is refused before anything is judged."""
    with pytest.raises(GradebookError, match=match):
        grade()
    assert Once.judged == 0


def test_a_gradebook_that_is_garbage_is_told_before_anything_is_judged(grade, book):
    whole = outcome(book.parent)
    book.write_bytes(b"garbage " * 1000)
    refused(grade, "is not an SQLite database.*keep it")
    book.rename(book.with_name("kept.db"))
    grade()
    assert Once.judged == 0
    assert outcome(book.parent) == whole


def test_a_page_of_zeros_in_it_is_told(grade, book):
    size = book.stat().st_size
    with book.open("r+b") as file:
        file.seek(4096)
        file.write(bytes(size - 4096))
    refused(grade, "damaged")


def test_a_truncated_one_is_told(grade, book):
    with book.open("r+b") as file:
        file.truncate(book.stat().st_size // 2)
    refused(grade, "damaged")


def test_a_student_who_was_renamed_in_it_is_told_by_name(grade, book):
    with closing(sqlite3.connect(book)) as connection:
        connection.execute("UPDATE student SET id = 'Ada' WHERE id = 'ada'")
        connection.commit()
    refused(grade, "has submissions of 'ada' but no such student.*upper or lower case")


def test_an_empty_file_becomes_a_gradebook(grade, book):
    whole = outcome(book.parent)
    book.write_bytes(b"")
    grade()
    assert outcome(book.parent) == whole


def test_another_programs_database_is_left_alone(grade, book):
    book.unlink()
    with closing(sqlite3.connect(book)) as connection:
        connection.execute("CREATE TABLE recipes (name)")
        connection.commit()
    before = book.read_bytes()
    refused(grade, "a database but not a gradebook")
    assert book.read_bytes() == before


def test_a_folder_in_its_place_is_told(grade, book):
    book.unlink()
    book.mkdir()
    refused(grade, "is not a file")


@pytest.mark.parametrize(
    "change", ["UPDATE alembic_version SET version_num = '50a4d84c131a'", "DROP TABLE alembic_version"]
)
def test_an_older_schema_is_told_with_the_way_to_upgrade(grade, book, change):
    with closing(sqlite3.connect(book)) as connection:
        connection.execute(change)
        connection.commit()
    refused(grade, "another version of nbgrader.*nbgrader db upgrade")


def test_a_gradebook_of_this_nbgrader_passes(book):
    assert Book.below(book.parent).examine()


def test_asking_for_the_schema_prints_nothing():
    """Another library sets up logging to stderr, and alembic has much to say."""
    code = "import autograder.gradebook.writer\nfrom autograder.gradebook import database\ndatabase.head()"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_none_at_all_passes(tmp_path):
    assert not Book.below(tmp_path).examine()


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


def test_a_lost_gradebooks_journal_is_not_played_into_the_new_one(grade, book):
    whole = outcome(book.parent)
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
    assert outcome(book.parent) == whole
    assert not journal.exists()


CHANGE = """
import os, sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute("PRAGMA cache_size = 1")
connection.execute("BEGIN IMMEDIATE")
connection.execute("UPDATE grade SET auto_score = 99")
connection.execute("UPDATE comment SET auto_comment = hex(randomblob(9000))")
os.kill(os.getpid(), 9)
"""


def test_a_process_killed_within_a_transaction_changes_nothing(grade, book):
    whole = outcome(book.parent)
    assert subprocess.run([sys.executable, "-c", CHANGE, str(book)]).returncode == -9
    assert book.with_name("gradebook.db-journal").stat().st_size > 0
    grade()
    assert Once.judged == 0
    assert outcome(book.parent) == whole
    assert not book.with_name("gradebook.db-journal").exists()


HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
connection.execute(f"BEGIN {sys.argv[3]}")
print("held", flush=True)
time.sleep(float(sys.argv[2]))
"""


@pytest.fixture
def hold(book):
    """Another program, which locks the gradebook for so many seconds."""
    held = []

    def hold(seconds, kind="IMMEDIATE"):
        command = [sys.executable, "-c", HOLD, str(book), str(seconds), kind]
        held.append(subprocess.Popen(command, stdout=subprocess.PIPE, text=True))
        assert held[-1].stdout.readline() == "held\n"

    yield hold
    for process in held:
        process.kill()
        process.communicate()


@pytest.mark.parametrize("kind", ["IMMEDIATE", "EXCLUSIVE"])
def test_a_lock_is_waited_for_and_said(grade, hold, kind, tmp_path):
    said = []
    hold(1.5, kind)
    grade(seed=2, step=lambda *what: said.append(what[0]))
    assert books.WAITING in said
    assert Once.judged == 2
    grade(output="fresh", seed=2)
    assert outcome(tmp_path / "out")["gradebook"] == outcome(tmp_path / "fresh")["gradebook"]


def test_a_lock_that_stays_is_told_and_the_verdicts_are_kept(grade, hold, book, monkeypatch):
    monkeypatch.setattr(books, "WAIT_SECONDS", 1)
    hold(60, "EXCLUSIVE")
    start = time.monotonic()
    with pytest.raises(GradebookError, match=r"stays locked by another program.*all verdicts are kept"):
        grade(seed=2)
    assert time.monotonic() - start < 20
    assert len(stored(book.parent)) == 4
    assert Once.judged == 2
