"""The table of a class, ``class.toml``: what is due when, what counts how much, and each fault in it by name."""

import datetime
import re

import pytest
from autumn import PAGE

from autograder.class_table import parsed, read
from autograder.errors import UsageError


def test_the_table_on_the_page_is_read_and_times_are_in_its_zone():
    (text,) = re.findall(r"```toml\n(.*?)```", PAGE, re.S)
    table = parsed(text)
    assert table.exercises["05_scorers"].due == datetime.datetime(2026, 11, 20, 11, tzinfo=datetime.UTC)
    assert table.exercises["01_batches"].due == datetime.datetime(2026, 10, 20, 10, tzinfo=datetime.UTC)
    assert table.extension("ada", "05_scorers") == datetime.timedelta(days=7)
    assert table.extension("ben", "05_scorers") is None


def test_an_hour_that_comes_twice_ends_for_learners_when_it_ends_the_second_time():
    table = parsed('time_zone = "Europe/Berlin"\n[exercises]\na = {due = 2026-10-25 02:30:00}')
    assert table.exercises["a"].due == datetime.datetime(2026, 10, 25, 1, 30, tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("best", "counted", "total"),
    [(0, "c a b", (0.5 * 3 + 0.25 + 1.0 * 4) / 8), (2, "c a", (0.5 * 3 + 1.0 * 4) / 7), (1, "c", 1.0), (9, "c a b", 0)],
)
def test_the_best_exercises_count_by_their_weights(best, counted, total):
    table = parsed(f'time_zone = "UTC"\nbest = {best}\n[exercises]\na = {{weight = 3}}\nb = {{}}\nc = {{weight = 4}}')
    shares = {"a": 0.5, "b": 0.25, "c": 1.0, "of no class": 1.0}
    assert table.counted(shares) == counted.split()
    assert table.total(shares) == pytest.approx(total or (0.5 * 3 + 0.25 + 1.0 * 4) / 8)


def test_without_weights_or_work_a_total_is_nothing():
    table = parsed('time_zone = "UTC"\n[exercises]\na = {weight = 0}')
    assert table.total({"a": 1.0}) == 0
    assert table.total({}) == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("weights = 1", "the table has weights, expected some of best, exercises, extensions, late"),
        ("best = -1", "best is -1, expected how many"),
        ("late = 120", "late is 120, expected at most 100 per cent"),
        ("late = true", "late is True, expected per cent"),
        ("exercises = 3", "exercises is 3, expected a table"),
        ("exercises.a = {due = 2026-11-20}", "a is due at 2026-11-20, expected a day and a time"),
        ('exercises.a = {due = "soon, I hope"}', "a is due at soon, I hope, expected a day and a time"),
        ("exercises.a = {weight = -1}", "the weight of a is -1, expected a number"),
        ('exercises.a = {full_points = "b"}', "the full_points of a are 'b', expected a list of tasks"),
        ("exercises.a = {full_points = [1]}", "the full_points of a are [1], expected a list of tasks"),
        ("exercises.a = {wieght = 1}", "a has wieght, expected some of due, full_points, weight"),
        ("extensions.ada.b = 2026-11-20 12:00:00", "the extension of ada is for 'b'"),
        ("exercises.a = {}\nextensions.ada.a = 2026-11-20 12:00:00", "due at no time"),
        (
            "exercises.a = {due = 2026-11-20 12:00:00}\nextensions.ada.a = 2026-11-20 11:00:00",
            "expected a time after it is due",
        ),
        ("exercises = {", "it is no TOML"),
        ("exercises.a = {due = 2026-11-20 12:00}", "needs its seconds: write 2026-11-20 12:00:00."),
        ("[extensions]\nada@x.org.a = 2026-11-20 12:00:00", 'needs quotes: write "ada@x.org".a.'),
        ("[extensions]\nada.m.lovelace.a = 2026-11-20 12:00:00", 'a dot needs quotes: write "ada.m.lovelace".a for'),
    ],
)
def test_a_fault_in_the_table_is_named(line, message):
    with pytest.raises(UsageError, match=re.escape(message)):
        parsed(f'time_zone = "UTC"\n{line}')


def test_a_mark_of_the_encoding_as_notepad_writes_it_is_no_fault(tmp_path):
    (tmp_path / "class.toml").write_text('time_zone = "Europe/Berlin"\n', encoding="utf-8-sig")
    assert read(tmp_path).time_zone == "Europe/Berlin"


def test_the_time_zone_must_be_said_and_be_one():
    for text in ("", 'time_zone = "Nowhere"', 'time_zone = "../UTC"'):
        with pytest.raises(UsageError, match="time_zone is"):
            parsed(text)
