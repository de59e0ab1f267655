"""A time of submission means one moment, or it is asked about: which day, which zone, which of two."""

import os
import shutil
import time
from pathlib import Path
from zoneinfo import ZoneInfo

import nbformat
import pytest
from downloads import inner
from small_course import NAME, FakeJudge

from autograder.__main__ import main
from autograder.errors import UsageError
from autograder.gradebook.feedback import FeedbackExporter
from autograder.settings import configured
from autograder.submissions.roster import Roster
from autograder.submissions.submitted_files import UNREAD, timestamp
from autograder.submissions.times import Clock, NoTime, Unclear, stamp
from tests.gradebooks import opened

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
    **{"Friday, 20 November 2026, 12:30 PM": NOON, "Friday, 20 November 2026, 12:30\u202fPM": NOON},
    **{"Fri, Nov 20, 2026 at 12:30 p.m.": NOON, "20 November 2026 12:30": NOON, "2026-11-20 12:30": NOON},
    **{"2026-11-20 12:30:00.250": NOON, "2026-11-20T12:30+01:00": NOON, "2026-11-20 11:30 UTC": NOON},
    **{"2026-11-20 11:30:00Z": NOON, "2026-11-20 11:30 GMT": NOON, "2026-11-20 13:30 UTC+2": NOON},
    **{"2026-11-20 06:30 -0500": NOON, "2026-11-20 20:30 Asia/Tokyo": NOON},
    "2026-11-20 12:30 CET": NOON,  # Berlin's own name for its time then
    "Fri Nov 20 12:30:00 CET 2026": NOON,  # of the program `date`, in two of its forms
    "Fri 20 Nov 12:30:00 PM CET 2026": NOON,
    "1795174200": NOON,
    "2026-07-20 12:30 CEST": "2026-07-20 10:30",
    "20/11/2026 12:30": NOON,  # there is no month 20
    **{"20.11.2026, 12:30": NOON, "11/20/2026 12:30 PM": NOON, "05/05/2026 12:30": "2026-05-05 10:30"},
    **{"2026-11-21 1:30 PM": "2026-11-21 12:30", "2026-11-21 1:30 AM": "2026-11-21 00:30"},
    **{"2026-11-21 12:30 AM": "2026-11-20 23:30", "2026-10-25 03:30": "2026-10-25 02:30"},
    **{"2026-10-25 02:30 CET": "2026-10-25 01:30", "2026-10-25 02:30 CEST": "2026-10-25 00:30"},
    **{"2026-10-25 02:30 +01:00": "2026-10-25 01:30", "2026-10-25 02:30": "2026-10-25 00:30"},
    "2026-03-29 02:30": "2026-03-29 00:30",
}
CHANGED = {"2026-10-25 02:30": "came twice", "2026-03-29 02:30": "never came"}  # the earlier reading counts


def test_what_means_one_moment_is_read_whatever_the_machine_and_told_where_clocks_were_changed(machine):
    for text, moment in TIMES.items():
        clock = berlin()
        assert stamp(clock.read(text))[:16] == moment, text
        assert (text in CHANGED) == bool(clock.notes)
        assert CHANGED.get(text, "") in " ".join(clock.notes)


UNCLEAR = {
    "05/11/2026 12:30": ("05 November 2026 with --dates day-first", "11 May 2026 with --dates month-first"),
    "5.11.2026 12:30": ("05 November 2026", "11 May 2026"),
    "2026-07-20 12:30 CET": ("'CET'", "UTC+0100", "not that of Europe/Berlin then", "c.Course.time_zone"),
    "2026-11-20 12:30 PST": ("'PST'", "UTC-0800", "write the offset instead"),
    "Fri Nov 20 12:30:00 PST 2026": ("'PST'", "UTC-0800"),
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
    *("Freitag, 20. November 2026, 12:30", "viernes, 20 de noviembre de 2026, 12:30"),
    *("12:30", "2026-11-20", "November 2026 12:30", "20 November 12:30", "11/20/26 12:30", "31/02/2026 10:00"),
    *("2026-11-20 25:30", "2026-11-20 13:30 PM", "2026-11-20 12:30 XYZ", "2026-11-20 12:30 Mars/Olympus", "soon", ""),
    *("2026-11-20 12:30 ../../etc/passwd", "2026-11-20 12:30 /etc/passwd", "2026-13-20 12:30", "2026112012"),
]


@pytest.mark.parametrize("text", NO_TIMES)
def test_other_languages_and_halves_of_times_are_refused(text):
    with pytest.raises(NoTime) as caught:
        berlin().read(text)
    assert type(caught.value) is NoTime


MODIFIED = "Email address,Last modified (submission)"
TITLES = {
    "Last modified (submission)": NOON,
    **dict.fromkeys(("submitted_at", "Submitted At"), NOON),
    "submitted_at (UTC)": "2026-11-20 12:30",
    "Time (UTC)": "2026-11-20 12:30",
    "Time (America/New_York)": "2026-11-20 17:30",
    "Last modified (submission) (-05:00)": "2026-11-20 17:30",
    "Time": None,
}


def roster_of(tmp_path, title, text, clock, rows=1):
    path = tmp_path / "worksheet.csv"
    path.write_text(f"Email address,{title}\n" + f'ada@example.org,"{text}"\n' * rows, encoding="utf-8")
    return Roster.read(path, clock)


@pytest.mark.parametrize("title", TITLES)
def test_a_column_says_its_zone_else_it_is_the_courses(tmp_path, title):
    clock = berlin()
    time = roster_of(tmp_path, title, "Friday, 20 November 2026, 12:30 PM", clock).find(["ada@example.org"]).time
    assert (stamp(time)[:16] if time else None) == TITLES[title]
    assert clock.local == (TITLES[title] == NOON)
    assert roster_of(tmp_path, title, "-", clock).find(["ada@example.org"]).time is None


ASKED = {
    "05/11/2026 12:30": "05 November 2026 with --dates day-first or 11 May 2026 with --dates month-first",
    "Freitag, 20. November 2026, 12:30": "has no date in English words",
}


@pytest.mark.parametrize("text", ASKED)
def test_an_unclear_roster_is_asked_about_by_file_row_column_and_text(tmp_path, text):
    with pytest.raises(UsageError) as caught:
        roster_of(tmp_path, "submitted_at", text, berlin(), 7)
    message = str(caught.value)
    assert f"the roster {tmp_path}/worksheet.csv, row 2, 'submitted_at': {text!r} " in message
    assert ASKED[text] in message
    assert (message.count(repr(text)), "row 6, " in message, "; 2 more rows" in message) == (5, True, True)
    assert "\n" not in message


def test_of_several_times_of_one_person_the_later_counts_and_this_is_told():
    for hours in ((10, 13), (13, 10)):
        clock = berlin()
        rows = [{"student_id": "ada", "submitted_at": f"2026-11-20 {hour}:00 UTC"} for hour in hours]
        assert stamp(Roster(rows, clock).find(["ada"]).time)[:16] == "2026-11-20 13:00"
        (note,) = clock.notes
        assert (
            "row 3: 'ada' was there with another time of submission; the later counts, 2026-11-20 13:00:00 UTC" in note
        )


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
def grade(run, hand_in, solved, tmp_path):
    """Grades Ada's work of this time: what was said, and her page."""

    def grade(text, *options):
        hand_in("ada", text, name="timestamp.txt")
        output = tmp_path / "out"
        status, out, err = run("grade", hand_in("ada", solved), "--output", output, "--seed", "7", *options)
        assert status == 0
        return out, err, next((output / "feedback").rglob("*.html")).read_text(encoding="utf-8")

    return grade


def test_half_an_hour_early_in_berlin_is_not_late_and_half_an_hour_late_is_with_its_zone(grade, tmp_path, run, berlins):
    early, late = "Friday, 20 November 2026, 12:30 PM", "Friday, 20 November 2026, 1:30 PM"
    (tmp_path / "out").mkdir()
    with opened(tmp_path / "out") as gradebook:
        gradebook.update_or_create_assignment(NAME, duedate="2026-11-20 12:00:00 UTC")
    out, err, page = grade(early)
    assert err.count("grade: times without a zone were read in Europe/Berlin (now ") == 1
    assert "lateness" not in out
    assert " late" not in page
    out, _, page = grade(late)
    assert "taken off for lateness" in out
    moments = "30 minutes late: handed in 2026-11-20 13:30 CET, due 2026-11-20 13:00 CET"
    assert moments in page
    out = tmp_path / "out"
    for command in (
        ("feedback", "--format", "markdown"),
        ("export", "--to", "moodle", "--file", tmp_path / "table.csv"),
    ):
        assert run(*command, "--output", out)[0] == 0
    assert moments in (tmp_path / "table.csv").read_text(encoding="utf-8")
    assert moments in next((out / "feedback").rglob("*.md")).read_text(encoding="utf-8")
    config = configured(berlins, out)
    about = {"db_url": config.CourseDirectory.db_url, "assignment": NAME, "student": "ada"}
    notebook = nbformat.read(out / "autograded" / "ada" / NAME / f"{NAME}.ipynb", as_version=4)
    assert FeedbackExporter(config=config).from_notebook_node(notebook, {"nbgrader": about})[0] == page
    _, _, page = grade("2026-11-20 12:00:01 UTC")
    assert "1 second late: handed in 2026-11-20 13:00:01 CET, due 2026-11-20 13:00:00 CET" in page


def test_an_unclear_time_in_a_class_is_told_once_and_to_its_learner_and_the_option_decides(grade, tmp_path):
    _, err, page = grade("05/11/2026 12:30")
    assert err.count(f"grade: ada/{NAME}/timestamp.txt: '05/11/2026 12:30' is 05 November 2026 with --dates") == 1
    assert UNREAD in page
    _, err, _ = grade("05/11/2026 12:30", "--dates", "day-first")
    assert "timestamp.txt" not in err
    stored = tmp_path / "out" / "autograded" / "ada" / NAME / "timestamp.txt"
    assert stored.read_text() == "2026-11-05 11:30:00.000000 UTC\n"


def test_a_moodle_worksheet_is_read_in_the_courses_zone_and_this_is_said_once(run, tmp_path):
    files = {f"{name}_assignsubmission_file_/{NAME}.ipynb": b"{}" for name in ("Ada L_5", "Participant_6")}
    (tmp_path / "moodle.zip").write_bytes(inner(files))
    rows = [f'{n},{mail},"Friday, 20 November 2026, 12:30 PM"' for n, mail in ((5, "ada@x.org"), (6, "ben@x.org"))]
    (tmp_path / "sheet.csv").write_text("\nParticipant ".join([f"Identifier,{MODIFIED}", *rows]))
    to = tmp_path / "to"
    status, out, err = run("collect", tmp_path / "moodle.zip", "--to", to, "--roster", tmp_path / "sheet.csv")
    assert status == 0
    assert "2026-11-20 11:30:00" in out
    assert err.count("collect: times without a zone were read in Europe/Berlin (now ") == 1
    assert (to / "ada@x.org" / NAME / "timestamp.txt").read_text() == "2026-11-20 11:30:00.000000 UTC\n"


def test_another_time_of_the_same_work_is_entered_by_replace_alone_and_what_is_printed_counts(run, tmp_path):
    stamped, roster = tmp_path / "to" / "ada" / NAME / "timestamp.txt", tmp_path / "roster.csv"
    (tmp_path / "canvas.zip").write_bytes(inner({f"ada_1_2_{NAME}.ipynb": b"{}"}))
    collect = ("collect", tmp_path / "canvas.zip", "--to", tmp_path / "to", "--roster", roster)
    roster.write_text("student_id,submitted_at\nada,2026-11-19 09:05 UTC\n")
    assert run(*collect)[0] == 0
    roster.write_text("student_id,submitted_at\nada,2026-11-25 08:05 UTC\n")
    kept = "counts, and another is kept back: ada 2026-11-25 08:05:00 UTC; --replace enters it."
    for text in ("2026-11-19 09:05:00.000000 UTC\n", "2026-11-19 10:05"):  # the second by hand, in Berlin
        stamped.write_text(text)
        status, out, err = run(*collect)
        assert (status, stamped.read_text(), kept in err) == (1, text, True)
        assert "unchanged  2026-11-19 09:05:00 UTC" in out
    for outcome in ("replaced", "unchanged"):
        status, out, err = run(*collect, "--replace")
        assert (status, stamped.read_text(), kept in err) == (0, "2026-11-25 08:05:00.000000 UTC\n", False)
        assert f"{outcome}  2026-11-25 08:05:00 UTC" in out
    roster.write_text("student_id\nada\n")
    assert "unchanged  2026-11-25 08:05:00 UTC" in run(*collect, "--replace")[1]


def test_a_zone_that_there_is_not_is_one_line(run, berlins, hand_in, solved):
    (berlins / "nbgrader_config.py").write_text(CONFIG.format("Mars/Olympus"))
    status, _, err = run("grade", hand_in("ada", solved))
    assert status == 2
    assert "c.Course.time_zone in nbgrader_config.py is 'Mars/Olympus', expected a name such as Europe/Berlin" in err


STAMPS = {
    b"2026-11-21 10:00:00 UTC\n": "2026-11-21 10:00:00 UTC",  # as nbgrader writes it
    b"2026-11-21 10:00:00.250000 UTC\n": "2026-11-21 10:00:00.250000 UTC",
    b"2026-11-21 10:00:00 Asia/Tokyo\n": "2026-11-21 01:00:00.000000 UTC",
    "2026-11-20T13:03:00.0000000+01:00\r\n".encode("utf-16"): "2026-11-20 12:03:00.000000 UTC",
    b"\xef\xbb\xbf2026-11-20 11:45:00 UTC\n": "2026-11-20 11:45:00 UTC",
    b"Fri, 20 Nov 2026 12:04:00 +0000 (GMT)": "2026-11-20 12:04:00.000000 UTC",
}
NO_STAMPS = [
    *(b"0001-01-01 00:00:00 Asia/Tokyo", b"9999-12-31 23:59:59 -3600", b"0001-01-01T00:00:00+09:00"),
    *(b"2026-11-21 10:00:00 99999999999999999999", b"2026-11-21 10:00:00 \xff", b"2026-11-21\x1b[31m 10:00:00"),
    *(b"whenever", b"", b"1" * 2**20, b"2569-11-20 11:30:00 UTC", b"1405-09-01 12:00 UTC", b"2106-02-07 06:28:15 UTC"),
]


@pytest.mark.parametrize("make", [Path.mkdir, os.mkfifo, lambda path: path.symlink_to("elsewhere"), None])
def test_a_time_that_no_file_holds_is_told_too(tmp_path, make):
    clock = berlin()
    if make:
        make(tmp_path / "timestamp.txt")
    assert timestamp(tmp_path / "timestamp.txt", clock) == ("", (UNREAD,) if make else ())
    told = [note.partition(": ")[2] for note in clock.notes]
    assert told == ["it is no ordinary file. Until then it does not count as late"] * bool(make)


@pytest.mark.parametrize("data", [*STAMPS, *NO_STAMPS], ids=lambda data: repr(data[:20]))
def test_a_stamp_that_any_program_wrote_is_read_and_what_is_no_time_is_told(tmp_path, data):
    (tmp_path / "timestamp.txt").write_bytes(data)
    clock = berlin()
    assert timestamp(tmp_path / "timestamp.txt", clock) == (STAMPS.get(data, ""), () if data in STAMPS else (UNREAD,))
    assert bool(clock.notes) == (data not in STAMPS)
