"""A time of submission means one moment, or it is asked about: which day, which zone, which of two."""

import shutil
import time
import zipfile
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from small_course import NAME, FakeJudge

from autograder.__main__ import main
from autograder.errors import UsageError
from autograder.gradebook.book import Book
from autograder.submissions.students import Roster
from autograder.submissions.submitted_files import UNREAD, timestamp
from autograder.submissions.times import Clock, NoTime, Unclear, stamp

BERLIN = "Europe/Berlin"
NOON = "2026-11-20 11:30"  # in UTC: half past twelve in Berlin


@pytest.fixture(params=["UTC", "America/New_York", "Asia/Kolkata"])
def machine(request, monkeypatch):
    """The machine's own zone, on which nothing may depend."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def berlin(dates=""):
    return Clock(ZoneInfo(BERLIN), BERLIN, dates)


TIMES = {
    "Friday, 20 November 2026, 12:30 PM": NOON,
    "Friday, 20 November 2026, 12:30\u202fPM": NOON,
    "Fri, Nov 20, 2026 at 12:30 p.m.": NOON,
    "20 November 2026 12:30": NOON,
    "2026-11-20 12:30": NOON,
    "2026-11-20 12:30:00.250": NOON,
    "2026-11-20T12:30+01:00": NOON,
    "2026-11-20 11:30 UTC": NOON,
    "2026-11-20 11:30:00Z": NOON,
    "2026-11-20 11:30 GMT": NOON,
    "2026-11-20 13:30 UTC+2": NOON,
    "2026-11-20 06:30 -0500": NOON,
    "2026-11-20 20:30 Asia/Tokyo": NOON,
    "2026-11-20 12:30 CET": NOON,  # Berlin's own name for its time then
    "2026-07-20 12:30 CEST": "2026-07-20 10:30",
    "20/11/2026 12:30": NOON,  # there is no month 20
    "20.11.2026, 12:30": NOON,
    "11/20/2026 12:30 PM": NOON,
    "05/05/2026 12:30": "2026-05-05 10:30",
    "2026-11-21 1:30 PM": "2026-11-21 12:30",
    "2026-11-21 1:30 AM": "2026-11-21 00:30",
    "2026-11-21 12:30 AM": "2026-11-20 23:30",
}


def test_what_means_one_moment_is_read_whatever_the_machine(machine):
    assert {text: stamp(berlin().read(text))[:16] for text in TIMES} == TIMES


UNCLEAR = {
    "05/11/2026 12:30": ("05 November 2026 with --dates day-first", "11 May 2026 with --dates month-first"),
    "5.11.2026 12:30": ("05 November 2026", "11 May 2026"),
    "2026-07-20 12:30 CET": ("'CET'", "UTC+0100", "not that of Europe/Berlin then", "c.Course.time_zone"),
    "2026-11-20 12:30 PST": ("'PST'", "UTC-0800", "write the offset instead"),
    "2026-11-20 12:30 IST": ("UTC+0100 or UTC+0200 or UTC+0530",),
    "2026-11-20 12:30 CST": ("UTC+0800", "UTC-0600"),
}


def test_what_means_several_is_asked_about_with_every_reading(machine):
    for text, words in UNCLEAR.items():
        with pytest.raises(Unclear) as caught:
            berlin().read(text)
        assert [word for word in words if word not in str(caught.value)] == [], text


ORDERED = {
    ("05/11/2026 12:30", "day-first"): "2026-11-05 11:30",
    ("05/11/2026 12:30", "month-first"): "2026-05-11 10:30",
    ("2026-05-11 12:30", "day-first"): "2026-05-11 10:30",
}


def test_the_option_decides_and_is_held():
    assert {(text, dates): stamp(berlin(dates).read(text))[:16] for text, dates in ORDERED} == ORDERED
    with pytest.raises(NoTime, match="no date with day 11 and month 20"):
        berlin("day-first").read("11/20/2026 12:30")


NO_TIMES = [
    *(
        "Freitag, 20. November 2026, 12:30",
        "vendredi 20 novembre 2026, 12:30",
        "viernes, 20 de noviembre de 2026, 12:30",
    ),
    *("12:30", "2026-11-20", "November 2026 12:30", "20 November 12:30", "11/20/26 12:30", "31/02/2026 10:00"),
    *("2026-11-20 25:30", "2026-11-20 13:30 PM", "2026-11-20 12:30 XYZ", "2026-11-20 12:30 Mars/Olympus", "soon", ""),
    *("2026-11-20 12:30 ../../etc/passwd", "2026-11-20 12:30 /etc/passwd", "2026-13-20 12:30"),
]


@pytest.mark.parametrize("text", NO_TIMES)
def test_other_languages_and_halves_of_times_are_refused(text):
    with pytest.raises(NoTime) as caught:
        berlin().read(text)
    assert type(caught.value) is NoTime


FOLDS = {
    "2026-10-25 02:30": ("2026-10-25 00:30", "came twice"),
    "2026-03-29 02:30": ("2026-03-29 00:30", "never came"),
    "2026-10-25 03:30": ("2026-10-25 02:30", ""),
    "2026-10-25 02:30 CET": ("2026-10-25 01:30", ""),
    "2026-10-25 02:30 CEST": ("2026-10-25 00:30", ""),
    "2026-10-25 02:30 +01:00": ("2026-10-25 01:30", ""),
}


@pytest.mark.parametrize("text", FOLDS)
def test_where_clocks_were_changed_the_earlier_reading_counts_and_is_told(text):
    clock = berlin()
    expected, words = FOLDS[text]
    assert stamp(clock.read(text))[:16] == expected
    assert bool(clock.notes) == bool(words)
    assert words in " ".join(clock.notes)


MOODLE = "Email address,{title}\nada@example.org,{time}\n"
TITLES = {
    "Last modified (submission)": NOON,
    "submitted_at": NOON,
    "submitted_at (UTC)": "2026-11-20 12:30",
    "Time (UTC)": "2026-11-20 12:30",
    "Time (America/New_York)": "2026-11-20 17:30",
    "Last modified (submission) (-05:00)": "2026-11-20 17:30",
    "Time (of day)": None,
    "Time": None,
}


def roster_of(tmp_path, title, text, clock):
    path = tmp_path / "worksheet.csv"
    path.write_text(MOODLE.format(title=title, time=f'"{text}"'), encoding="utf-8")
    return Roster.read(path, clock)


@pytest.mark.parametrize("title", [title for title in TITLES if title != "Time (of day)"])
def test_a_column_says_its_zone_else_it_is_the_courses(tmp_path, title):
    clock = berlin()
    found = roster_of(tmp_path, title, "Friday, 20 November 2026, 12:30 PM", clock).find(["ada@example.org"]).time
    assert (stamp(found)[:16] if found else None) == TITLES[title]
    assert clock.local == (TITLES[title] == NOON)
    assert roster_of(tmp_path, title, "-", clock).find(["ada@example.org"]).time is None


ASKED = {
    "05/11/2026 12:30": "05 November 2026 with --dates day-first or 11 May 2026 with --dates month-first",
    "Freitag, 20. November 2026, 12:30": "has no date in English words",
    "20 November 2026, 12:30 IST": "UTC+0100 or UTC+0200 or UTC+0530",
}


@pytest.mark.parametrize("text", ASKED)
def test_an_unclear_roster_is_asked_about_by_file_row_column_and_text(tmp_path, text):
    with pytest.raises(UsageError) as caught:
        roster_of(tmp_path, "submitted_at", text, berlin())
    said = str(caught.value)
    assert f"the roster {tmp_path}/worksheet.csv, row 2, 'submitted_at': {text!r} " in said
    assert ASKED[text] in said
    assert "\n" not in said


def test_an_unclear_time_of_one_learner_is_told_to_both_and_stops_nobody(tmp_path):
    path = tmp_path / "ada" / NAME / "timestamp.txt"
    path.parent.mkdir(parents=True)
    clock = berlin()
    path.write_text("05/11/2026 12:30\n")
    assert timestamp(path, clock) == ("", (UNREAD,))
    (note,) = clock.notes
    assert note.startswith(
        f"ada/{NAME}/timestamp.txt: '05/11/2026 12:30' is 05 November 2026 with --dates day-first or "
    )
    path.write_text("2026-11-20 1:30 PM\n")
    assert timestamp(path, berlin()) == ("2026-11-20 12:30:00.000000 UTC", ())


CONFIG = 'c = get_config()\nc.Course.time_zone = "{}"\nc.LateSubmissionPlugin.penalty_method = "zero"\n'


@pytest.fixture
def berlins(course, tmp_path):
    """The course, of which the settings say that it is in Berlin."""
    root = Path(shutil.copytree(course, tmp_path / "course"))
    (root / "nbgrader_config.py").write_text(CONFIG.format(BERLIN))
    return root


@pytest.fixture
def run(berlins, monkeypatch, capsys):
    monkeypatch.setattr("autograder.judging.judge.Judge", FakeJudge)

    def run(command, *options):
        status = main([command, *map(str, options), "--root", str(berlins)])
        out, err = capsys.readouterr()
        return status, out, err.replace("\r", "\n")

    return run


@pytest.fixture
def graded(run, berlins, hand_in, solved, tmp_path):
    """Grades Ada's work of this time against a deadline of one o'clock in Berlin: graded(text)."""

    def graded(text):
        hand_in("ada", text, name="timestamp.txt")
        folder, output = hand_in("ada", solved), tmp_path / "out"
        grade = ("grade", folder, "--output", output, "--seed", "7")
        run(*grade)
        with Book.below(output).open() as gradebook:
            gradebook.update_or_create_assignment(NAME, duedate="2026-11-20 12:00:00 UTC")
        status, out, err = run(*grade)
        page = next((output / "feedback").rglob("*.html")).read_text(encoding="utf-8")
        return status, out, err, page

    return graded


def test_half_an_hour_early_in_berlin_is_not_late_and_half_an_hour_late_is_with_its_zone(graded):
    status, out, err, page = graded("Friday, 20 November 2026, 12:30 PM")
    assert status == 0
    assert err.count("grade: times without a zone were read in Europe/Berlin (now ") == 1
    assert "lateness" not in out
    assert " late" not in page
    _, out, _, page = graded("Friday, 20 November 2026, 1:30 PM")
    assert "taken off for lateness" in out
    assert "30 minutes late: handed in 2026-11-20 12:30 UTC, due 2026-11-20 12:00 UTC" in page


def test_an_unclear_time_in_a_class_is_told_once_and_the_option_decides(run, hand_in, solved, tmp_path):
    hand_in("ada", "05/11/2026 12:30", name="timestamp.txt")
    grade = ("grade", hand_in("ada", solved), "--output", tmp_path / "out", "--seed", "7")
    _, _, err = run(*grade)
    assert err.count(f"grade: ada/{NAME}/timestamp.txt: '05/11/2026 12:30' is 05 November 2026 with --dates") == 1
    _, _, err = run(*grade, "--dates", "day-first")
    assert "timestamp.txt" not in err
    stored = tmp_path / "out" / "autograded" / "ada" / NAME / "timestamp.txt"
    assert stored.read_text() == "2026-11-05 11:30:00.000000 UTC\n"


def test_a_moodle_worksheet_is_read_in_the_courses_zone_and_this_is_said_once(run, tmp_path):
    with zipfile.ZipFile(tmp_path / "moodle.zip", "w") as file:
        for number, name in ((5, "Ada L"), (6, "Ben M")):
            file.writestr(f"{name}_{number}_assignsubmission_file_/{NAME}.ipynb", b"{}")
    rows = [f'Participant {number},{name}@example.org,"{TIMES_OF[name]}"' for number, name in ((5, "ada"), (6, "ben"))]
    head = "Identifier,Email address,Last modified (submission)"
    (tmp_path / "worksheet.csv").write_text("\n".join([head, *rows]))
    to = tmp_path / "to"
    collect = ("collect", tmp_path / "moodle.zip", "--to", to, "--roster", tmp_path / "worksheet.csv")
    status, out, err = run(*collect)
    assert status == 0
    assert "2026-11-20 11:30:00" in out
    assert err.count("collect: times without a zone were read in Europe/Berlin (now ") == 1
    assert (to / "ada@example.org" / NAME / "timestamp.txt").read_text() == "2026-11-20 11:30:00.000000 UTC\n"


TIMES_OF = {"ada": "Friday, 20 November 2026, 12:30 PM", "ben": "Friday, 20 November 2026, 9:05 AM"}


def test_a_zone_that_there_is_not_is_one_line(run, berlins, hand_in, solved):
    (berlins / "nbgrader_config.py").write_text(CONFIG.format("Mars/Olympus"))
    status, _, err = run("grade", hand_in("ada", solved))
    assert status == 2
    assert "c.Course.time_zone in nbgrader_config.py is 'Mars/Olympus', expected a name such as Europe/Berlin" in err


@pytest.mark.parametrize(
    ("data", "time"),
    [
        ("2026-11-20T13:03:00.0000000+01:00\r\n".encode("utf-16"), "2026-11-20 12:03"),
        (b"\xef\xbb\xbf2026-11-20 11:45:00 UTC\n", "2026-11-20 11:45"),
        (b"Fri, 20 Nov 2026 12:04:00 +0000 (GMT)", "2026-11-20 12:04"),
    ],
)
def test_a_stamp_that_another_program_wrote_is_read(tmp_path, data, time):
    (tmp_path / "timestamp.txt").write_bytes(data)
    text, notes = timestamp(tmp_path / "timestamp.txt")
    assert (text[:16], notes) == (time, ())
