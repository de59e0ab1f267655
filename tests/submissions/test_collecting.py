"""Downloads of Canvas, Moodle and Gradescope: whose each file is, of which assignment, which attempt counts.

And that nothing in a download writes elsewhere, harms another learner, or ends in a traceback.
"""

import datetime
import errno
import json
import os
import stat
import struct
import tempfile
import zipfile
from pathlib import Path

import pytest
from downloads import NAMES, NOTEBOOK, inner, laid
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nbgrader.utils import parse_utc

from autograder.__main__ import main
from autograder.errors import UsageError
from autograder.submissions import archive, lms_import
from autograder.submissions.downloads import owner
from autograder.submissions.lms_import import Rules, collect
from autograder.submissions.students import Roster
from autograder.submissions.submitted_files import collected

METADATA = """---
submission_111:
  :submitters:
  - :name: Ada Lovelace
    :sid: '1234'
    :email: ada@example.org
  :created_at: 2026-11-18 21:30:00.250000000 Z
  :score: 0.0
  :history: []
submission_222:
  :submitters:
  - :name: Ben O'Neil
    :sid:
    :email: ben@example.org
  - :name: Cy Young
    :sid: '77'
    :email: cy@example.org
  :created_at: 2026-11-19 01:00:00.000000000 +02:00
"""
METADATA_OF_ADA = "submission_5:\n  ':submitters': [{':name': Ada, ':sid': ada, ':email': ada@example.org}]\n"
MIB = 2**20


def of(*owners, data=NOTEBOOK):
    """A notebook of the first assignment for each name as Canvas writes it."""
    return {f"{owner}_05_scorers.ipynb": data for owner in owners}


ADA, OTHERS = of("ada_1_2"), of("ada_1_2", "zoe_9_9")
(SCORERS,) = ADA
MOODLE, CANVAS = "Mallory M_66_assignsubmission_file_", "mallory_66_99_"
BEN = {"Ben B_7_assignsubmission_file_/05_scorers.ipynb": NOTEBOOK}
OUTSIDE = "its name points outside the archive"


def students(result):
    return [submission.student for submission in result.submissions]


def at(student, assignment="05_scorers"):
    return f"{student}/{assignment}/{assignment}.ipynb"


def nested(depth):
    data = inner({"05_scorers.ipynb": NOTEBOOK})
    for _ in range(depth):
        data = inner({"more.zip": data})
    return data


def many(count, data=b"", ending="txt"):
    return inner({f"{number}.{ending}": data for number in range(count)})


# What lies in the class's folder after collecting one file of this name.
NAMES_OF_CANVAS = {
    "lovelaceada_1234_56789_05_scorers.ipynb": "lovelaceada",
    "lovelaceada_LATE_1234_56789_05_scorers-2.ipynb": "lovelaceada",
    "o_neilben_1234_56789_05_scorers.ipynb": "o_neilben",
    "user12_1234_56789_05_scorers.ipynb": "user12",
    "anon_x7Yz1_56789_05_scorers.ipynb": "anon_x7Yz1",
    "LATE_anon_x7Yz1_56789_05_scorers.ipynb": "anon_x7Yz1",
    "lovelaceada_1234_56789_05_scorers (1).ipynb": "lovelaceada",
    "lovelaceada_1234_56789_05_scorers-Copy1.ipynb": "lovelaceada",
    "lovelaceada_1234_56789_Copy of 05_Scorers.ipynb": "lovelaceada",
    "submissions/müllerjürgen_1_2_05_scorers.ipynb": "müllerjürgen",
}
NAMES_OF_MOODLE = {
    "Ada Lovelace_123456_assignsubmission_file_/05_scorers.ipynb": "Ada_Lovelace",
    "Ada Lovelace_123456_assignsubmission_file/05_scorers.ipynb": "Ada_Lovelace",
    "Ada Lovelace_123456_assignsubmission_file_/work/05_scorers (2).ipynb": "Ada_Lovelace",
    "Ada Lovelace_123456_assignsubmission_file_05_scorers.ipynb": "Ada_Lovelace",
}


@pytest.mark.parametrize(
    ("lms", "names"), [("canvas", NAMES_OF_CANVAS), ("moodle", NAMES_OF_MOODLE)], ids=["canvas", "moodle"]
)
def test_names_are_understood(pack, tmp_path, lms, names):
    found = {}
    for number, name in enumerate(names):
        to = tmp_path / str(number) / "submitted"
        result = collect([pack({name: NOTEBOOK})], to, lms, Rules(NAMES))
        assert [submission.assignment for submission in result.submissions] == ["05_scorers"], name
        found[name] = laid(to.parent)
    assert found == {name: [at(student)] for name, student in names.items()}


def case(files, how=None, limits=None, edit=None, **expected):
    """Files of a download, how it is collected, other limits of ``archive``, what befalls the zip, what came of it."""
    return files, how or {}, limits or {}, edit, expected


def locked(data):
    at = data.index(b"PK\x01\x02") + 8
    return data[:at] + bytes([data[at] | 1]) + data[at + 1 :]


def instead(old, new):
    return lambda data: data.replace(old, new)


LINK = zipfile.ZipInfo(SCORERS)
LINK.create_system, LINK.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
TYPED = "Ada Lovelace_1_assignsubmission_onlinetext_/onlinetext.html"
OF_GRADESCOPE = {
    "assignment_9_export/submission_metadata.yml": METADATA,
    "assignment_9_export/submission_111/05_scorers.ipynb": NOTEBOOK,
    "assignment_9_export/submission_222/sub/06_decoders.ipynb": NOTEBOOK,
}
TIMES = {"1234": "21:30:00.250000", "77": "23:00:00.000000", "ben@example.org": "23:00:00.000000"}
FORGED = {
    "x/submission_111/submission_metadata.yml": METADATA.replace("1234", "77"),
    "x/submission_111/05_scorers.ipynb": NOTEBOOK,
    "x/submission_metadata.yml": METADATA,
}
UNNAMED = {"submission_metadata.yml": "'': {':submitters': [{':sid': '7'}]}", "05_scorers.ipynb": NOTEBOOK}
BORIS = inner(of("boris_1_2") | {"submission_metadata.yml": METADATA})
TWENTY = of(*(f"Ada_{number}_assignsubmission_file" for number in range(20)))
OF_MALLORY = {
    f"{MOODLE}/submission_metadata.yml": METADATA_OF_ADA,
    f"{MOODLE}/work.zip": inner({"submission_5/05_scorers.ipynb": NOTEBOOK}),
}
TYPED_OF_MALLORY = f"{MOODLE.replace('file', 'onlinetext')}/Ada_1_assignsubmission_file_/05_scorers.ipynb"
SAYS = json.dumps({"cells": [], "metadata": {"course": {"assignment": "06_decoders"}}})
AT_LEAST = ("late according to Canvas: ada.", "no time of submission is known for 2 of 2")
TOO_MANY = "eve (5) has more than 5000 files; it and those after it are left out"
BIG = many(6, bytes(MIB), "ipynb")
EVE = "eve_5_5_work.zip"
ZIPS = inner({"a.zip": many(20), "b.zip": many(20), "05_scorers.ipynb": NOTEBOOK})
AFTER_EVE = {"students": ["ada", "zoe"], "without": ["eve (5)"]}
ONE_FOLDER = [{"student_id": "a b", "id": "1"}, {"student_id": "a_b", "id": "2"}]
CANVAS_ROSTER = 'Student,ID,SIS User ID,SIS Login ID,Section\n"Lovelace, Ada",1234,s1,al1,A\n"Smith, Ann",7,s2,as2,A\n'
TWO_ANNS = "student_id,name\nann1,Ann Smith\nann2,Ann Smith\n"
SCORES = "student_id,name,score\nada,Ada,77\n"
UNKNOWN = "eve: the roster does not have this name or number; kept as eve."
MOODLE_ROSTER = (
    "Identifier,Full name,Email address,Last modified (submission)\n"
    'Participant 123456,Ada Lovelace,ada@example.org,"Wednesday, 18 November 2026, 9:30 PM"\n'
)
DOWNLOADS = {
    "a text typed into Moodle": case({TYPED: b"<p>"}, {"lms": "moodle"}, left_out=[(TYPED, "it is not a notebook")]),
    "Gradescope's metadata say who and when": case(
        OF_GRADESCOPE, lms="gradescope", times=[(who, f"2026-11-18 {time} UTC") for who, time in TIMES.items()]
    ),
    "a file outside all folders may be named too": case(UNNAMED, {"lms": "gradescope"}, laid=[at("7")]),
    "metadata that a learner handed in are not believed": case(FORGED, students=["1234"]),
    "a name within a learner's zip makes nobody else": case(
        {"eve_66_99_work.zip": BORIS, **ADA}, lms="canvas", students=["ada", "eve"]
    ),
    "zips within the zip are opened": case(
        {"lovelaceada_1_2_work.zip": inner({"a/05_scorers.ipynb": NOTEBOOK})}, laid=[at("lovelaceada")]
    ),
    "a notebook says itself which assignment it is": case(
        {"ada_1_2_final really.ipynb": SAYS}, laid=[at("ada", "06_decoders")]
    ),
    "an assignment can be said": case(
        {"ada_1_2_essay.ipynb": NOTEBOOK}, {"assignment": "06_decoders"}, laid=[at("ada", "06_decoders")]
    ),
    "a longer assignment's name is not a copy of a shorter one": case(
        {"ada_1_2_05_scorers_2.ipynb": NOTEBOOK},
        {"assignments": dict.fromkeys(("05_scorers", "05_scorers_2"), frozenset())},
        laid=[at("ada", "05_scorers_2")],
    ),
    "two of one name are kept apart": case(
        of("smithann_1_2") | of("smithann_7_3", data=b"other"),
        students=["smithann_1", "smithann_7"],
        note="several are called smithann",
    ),
    "late by Canvas": case(of("ada_LATE_1_2", "ben_2_3"), untimed=AT_LEAST),
    "metadata within a Moodle submission make it no Gradescope download": case(
        OF_MALLORY | BEN, lms="moodle", students=["Ben_B", "Mallory_M"]
    ),
    "one zip of Moodle's names does not turn a class of Canvas": case(
        of("ada_1_2", "ben_2_3") | {f"{CANVAS}x.zip": inner(TWENTY | {"05_scorers.ipynb": NOTEBOOK})},
        students=["ada", "ben", "mallory"],
    ),
    "a text typed into Moodle is not searched for other names": case(
        {TYPED_OF_MALLORY: NOTEBOOK, **BEN}, students=["Ben_B"], without=["Mallory M (66)"]
    ),
    "a bomb is left out and the next is read": case(
        of("eve_1_2", data=bytes(MIB + 1)) | of("ada_1_3"),
        limits={"MAX_BYTES": MIB},
        left_out=[("eve_1_2_05_scorers.ipynb", "it has more than 1 MiB")],
        students=["ada"],
    ),
    "too much in all is refused file by file": case(
        of(*(f"s_{number}_2" for number in range(6)), data=bytes(MIB)), limits={"MAX_TOTAL": 3 * MIB}, counts=(3, 3)
    ),
    "zips within zips within zips end somewhere": case({"eve_1_2_x.zip": nested(6)}, students=[], reason="this deep"),
    "a zip with a giant list of names is not opened": case(
        {EVE: many(100)}, limits={"MAX_DIRECTORY": 1000}, left_out=[(EVE, "its list of file names is too long")]
    ),
    "housekeeping is counted, not listed": case(
        {"__MACOSX/._ada_1_2_05_scorers.ipynb": b"", **ADA, ".DS_Store": b""}, housekeeping=2, left_out=[]
    ),
    "a zip of many files costs its learner alone": case(
        {EVE: many(archive.MAX_FILES + 1), **OTHERS}, left_out=[(EVE, TOO_MANY)], **AFTER_EVE
    ),
    "many files in a folder are told in one line": case(
        {f"Eve_5_assignsubmission_file_/{number}.ipynb": NOTEBOOK for number in range(20)} | BEN,
        limits={"MAX_FILES": 5},
        students=["Ben_B"],
        told=("more than 5 files", ["Eve_5_assignsubmission_file_/5.ipynb"]),
    ),
    "a zip in a zip counts for the same learner": case(
        {EVE: ZIPS, **OTHERS}, limits={"MAX_FILES": 30}, told=("more than 30 files", [EVE]), **AFTER_EVE
    ),
    "much data costs its learner alone": case(
        {EVE: BIG, **OTHERS}, limits={"MAX_SUBMISSION": 3 * MIB}, told=("more than 3 MiB", [EVE]), **AFTER_EVE
    ),
    "a download over the total leaves no later learner out": case(
        {"aaa_5_5_work.zip": BIG, "aab_6_6_work.zip": BIG, **OTHERS},
        limits={"MAX_TOTAL": 4 * MIB},
        students=["ada", "zoe"],
        without=["aaa (5)", "aab (6)"],
    ),
    "a name of a thousand folders is left out": case(of(f"eve_5_5_work/{'a/' * 1000}") | OTHERS, **AFTER_EVE),
    "long names in any alphabet fit and stay apart": case(
        of(f"{'王' * 120}一_1_2") | of(f"{'王' * 120}二_2_3", data=b"other"), counts=(2, 0)
    ),
    "two of the roster whose names make one folder stay apart": case(
        of("x_1_2") | of("y_2_3", data=b"other"), {"roster": Roster(ONE_FOLDER)}, counts=(2, 0), has="a_b"
    ),
    "Canvas's roster, by number": case(of("lovelaceada_1234_9"), {"roster": CANVAS_ROSTER}, students=["al1"]),
    "Canvas's roster, by name": case(of("lovelaceada_99_9"), {"roster": CANVAS_ROSTER}, students=["al1"]),
    "not in the roster": case(of("eve_5_9"), {"roster": CANVAS_ROSTER}, students=["eve"], note=UNKNOWN),
    "twice in the roster": case(of("annsmith_5_9"), {"roster": TWO_ANNS}, students=["annsmith"], note="ann1, ann2"),
    "a number in another column of the roster": case(of("eve_77_9"), {"roster": SCORES}, students=["eve"]),
    "an entry that is a link": case(
        [(LINK, b"/etc/passwd")], laid=[], left_out=[(SCORERS, "it is a link or a device, not a file")]
    ),
    "a bomb that lies about its size": case(
        of("ada_1_2", data=bytes(4 * MIB)),
        limits={"MAX_BYTES": MIB},
        edit=instead(struct.pack("<L", 4 * MIB), struct.pack("<L", 10)),
        laid=[],
        files_left_out=[SCORERS],
    ),
    "damaged bytes": case(
        of("ada_1_2", data=NOTEBOOK * 50),
        edit=lambda data: data[:60] + b"\xff" * 10 + data[70:],
        laid=[],
        told=("damaged", [SCORERS]),
    ),
    "a locked file": case(ADA, edit=locked, laid=[], left_out=[(SCORERS, "it is protected by a password")]),
    "an entry without a name": case(
        {"@.ipynb": NOTEBOOK, **ADA},
        edit=instead(b"@.ipynb", b"\x00.ipynb"),
        laid=[at("ada")],
        left_out=[("?", "it has no name")],
    ),
    "UTF-8 without the flag": case(
        of("m@@llerj_1_2"), edit=instead(b"m@@ller", "müller".encode()), laid=[at("müllerj")], left_out=[]
    ),
}
for person in ("Participant_123456", "Ada Lovelace_123456"):
    DOWNLOADS[f"Moodle's roster: {person}"] = case(
        {f"{person}_assignsubmission_file_/05_scorers.ipynb": NOTEBOOK},
        {"roster": MOODLE_ROSTER},
        times=[("ada@example.org", "2026-11-18 21:30:00.000000 UTC")],
    )
for name in ("../../ada_1_2_05_scorers.ipynb", "/etc/ada_1_2_05_scorers.ipynb", "C:\\ada_1_2_05_scorers.ipynb"):
    DOWNLOADS[f"outside: {name}"] = case(
        {name: NOTEBOOK}, left_out=[(name.replace("\\", "/").strip("/"), OUTSIDE)], students=[]
    )
for data in (NOTEBOOK, b"\xff", b"[" * 100_000, b'{"metadata": {"course": {"assignment": [1]}}}'):
    unknown = [("ada_1_2_essay.ipynb", "it is none of 05_scorers, 06_decoders")]
    DOWNLOADS[f"of no assignment: {data[:40]!r}"] = case({"ada_1_2_essay.ipynb": data}, students=[], left_out=unknown)
for data in (b"", b"PK\x03\x04", b"nonsense", b"PK\x05\x06" + b"\xff" * 18):
    DOWNLOADS[f"a damaged zip: {data!r}"] = case({EVE: data, **ADA}, files_left_out=[EVE], students=["ada"])
for other in ("Ada", "\N{CYRILLIC SMALL LETTER A}da", "ad\N{GREEK SMALL LETTER ALPHA}", "ａda"):
    alike = of("ada_1_2", f"{other}_7_3")
    DOWNLOADS[f"names that look alike: {other}"] = case(alike, counts=(2, 0), note=("look alike", "several are called"))
for time in ("0001-01-01 00:00:00 +09:00", "'0001-01-01T00:00:00+09:00'", "'9999-12-31T23:59:59-09:00'"):
    text = f"submission_1:\n  ':submitters': [{{':sid': ada}}]\n  ':created_at': {time}\n"
    DOWNLOADS[f"a time out of range: {time}"] = case(
        {"submission_metadata.yml": text, "submission_1/05_scorers.ipynb": NOTEBOOK}, students=["ada"]
    )


@pytest.mark.parametrize("name", DOWNLOADS)
def test_a_download_becomes_the_class_that_it_holds(got, pack, tmp_path, monkeypatch, name):
    files, how, limits, edit, expected = DOWNLOADS[name]
    for limit, value in limits.items():
        monkeypatch.setattr(archive, limit, value)
    path = pack(files)
    path.write_bytes(edit(path.read_bytes()) if edit else path.read_bytes())
    result = got(path, **how)
    outcome = {
        "lms": result.lms,
        "students": students(result),
        "times": [(submission.student, submission.time) for submission in result.submissions],
        "counts": (len(result.submissions), len(result.left_out)),
        "left_out": result.left_out,
        "files_left_out": [file for file, _ in result.left_out],
        "without": result.without,
        "housekeeping": result.housekeeping,
        "laid": laid(tmp_path),
    }
    exact = {key: value for key, value in expected.items() if key in outcome}
    assert {key: outcome[key] for key in exact} == exact
    reasons, notes = " ".join(reason for _, reason in result.left_out), " ".join(result.notes)
    assert expected.get("reason", "") in reasons
    assert expected.get("has", "") in ["", *students(result)]
    assert all(text in result.untimed for text in expected.get("untimed", ()))
    note = expected.get("note", "")
    assert any(words in notes for words in ([note] if isinstance(note, str) else note))
    if "told" in expected:
        words, told = expected["told"]
        assert [file for file, reason in result.left_out if words in reason] == told
    assert {path.name for path in tmp_path.iterdir()} <= {"submitted", "download.zip", "roster.csv"}
    assert len(set(students(result))) == len({path.split("/")[0] for path in laid(tmp_path)})


def test_nbgrader_and_our_reader_take_the_timestamp(got, tmp_path):
    got({"submission_metadata.yml": METADATA, "submission_111/05_scorers.ipynb": NOTEBOOK})
    stamp = tmp_path / "submitted" / "1234" / "05_scorers" / "timestamp.txt"
    assert stamp.read_text() == "2026-11-18 21:30:00.250000 UTC\n"
    (submitted,) = collected(tmp_path / "submitted")
    assert parse_utc(submitted.timestamp) == datetime.datetime(2026, 11, 18, 21, 30, 0, 250000)
    assert submitted.notes == ()


@pytest.mark.parametrize(
    "text", ["", "[1, 2]", "a: [", "a: &x [*x]", "submission_111: 3", "submission_111: {':submitters': 5}", "\x00"]
)
def test_strange_metadata_is_one_line_and_never_a_traceback(got, text):
    try:
        result = got({"submission_metadata.yml": text, "submission_111/05_scorers.ipynb": NOTEBOOK}, "gradescope")
        line = result.left_out[0][0]
    except UsageError as error:
        line = str(error)
    assert line.startswith(("submission_metadata.yml", "submission_111/05_scorers.ipynb"))
    assert "\n" not in line


PRETENDED = ("ada_1_2_05_scorers.ipynb", "Ada_1_assignsubmission_file_05_scorers.ipynb")
FOLDERS = ("ada_1_2_work", "Ada_1_assignsubmission_file_", "submission_5")


@pytest.mark.parametrize("lms", ["", "canvas", "moodle"])
def test_what_lies_within_a_submission_is_its_submitters_whatever_it_is_called(pack, tmp_path, lms):
    forged = {name: {name: NOTEBOOK} for name in (*PRETENDED, *(f"{folder}/05_scorers.ipynb" for folder in FOLDERS))}
    downloads = {
        outer + name: {outer: inner({**files, "submission_metadata.yml": METADATA_OF_ADA.encode()})}
        for name, files in forged.items()
        for outer in (f"{CANVAS}work.zip", f"{MOODLE}work.zip", f"{MOODLE}/work.zip")
    }
    if not lms:
        downloads |= {
            name: {name: NOTEBOOK} for end in PRETENDED for name in (CANVAS + end, MOODLE + end, f"{MOODLE}/{end}")
        }
    others = {}
    for number, (name, files) in enumerate(downloads.items()):
        whose = set(students(collect([pack(files)], tmp_path / str(number), lms, Rules(NAMES))))
        if not whose <= {"mallory", "Mallory_M"}:
            others[name] = whose
    assert others == {}


OWNERS = {
    ("ada_1_2_x.ipynb",): "ada (1)",
    ("all", "ada_LATE_1_2_x.ipynb"): "ada (1)",
    ("anon_x7_2_x.ipynb",): "anon_x7",
    ("Ada L_5_assignsubmission_file_", "x.ipynb"): "Ada L (5)",
    ("export", "submission_5", "x.ipynb"): "submission_5",
    ("export", "submission_metadata.yml"): "",
    ("work.zip", "ada_1_2_x.ipynb"): "",
    ("ada_1_2_x_3_assignsubmission_file_y.ipynb",): "ada (1)",
}


def test_the_outermost_name_says_whose_it_is():
    assert {parts: owner(parts) for parts in OWNERS} == OWNERS


@pytest.mark.parametrize(
    "names",
    [
        ("ada_1_20_05_scorers.ipynb", "ada_1_30_05_scorers.ipynb"),
        ("ada_1_20_05_scorers-1.ipynb", "ada_1_20_05_scorers-2.ipynb"),
        ("ada_1_20_05_scorers-9.ipynb", "ada_1_20_05_scorers-10.ipynb"),
        ("ada_1_9_05_scorers-3.ipynb", "ada_LATE_1_10_05_scorers.ipynb"),
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_the_last_attempt_counts_and_is_told(got, tmp_path, names, turned):
    files = {names[0]: b"first", names[1]: b"last"}
    result = got(dict(reversed(files.items())) if turned else files)
    assert (tmp_path / "submitted" / at("ada")).read_bytes() == b"last"
    assert result.left_out == [(names[0], "an earlier attempt")]
    assert any("2 attempts at 05_scorers" in note and names[1] in note for note in result.notes)


def test_the_later_time_counts_whatever_the_number_and_of_one_name_the_last(got, pack, tmp_path):
    text = METADATA.replace(":name: Ben O'Neil\n    :sid:", ":name: Ada Lovelace\n    :sid: '1234'")
    files = {f"submission_{number}/05_scorers.ipynb": data for number, data in ((111, b"later"), (222, b"earlier"))}
    got({"submission_metadata.yml": text.replace("2026-11-18 21:30", "2026-11-20 21:30"), **files})
    assert (tmp_path / "submitted" / at("1234")).read_bytes() == b"later"
    with pytest.warns(UserWarning, match="Duplicate name"):
        path = pack([("ada_1_2_05_scorers.ipynb", b"first"), ("ada_1_2_05_scorers.ipynb", b"last")])
    got(path)
    assert (tmp_path / "submitted" / at("ada")).read_bytes() == b"last"


def test_a_different_submission_is_kept_unless_told(got, tmp_path):
    def outcome(name, data, **how):
        (submission,) = got({name: data}, **how).submissions
        return submission.outcome, (tmp_path / "submitted" / at("ada")).read_bytes()

    assert outcome("ada_1_2_05_scorers.ipynb", b"old") == ("new", b"old")
    assert outcome("ada_1_2_05_scorers.ipynb", b"old") == ("unchanged", b"old")
    assert outcome("ada_1_9_05_scorers.ipynb", b"new") == ("kept", b"old")
    assert outcome("ada_1_9_05_scorers.ipynb", b"new", replace=True) == ("replaced", b"new")


def test_a_replaced_submission_does_not_keep_the_old_time(got, tmp_path):
    got({"submission_metadata.yml": METADATA, "submission_111/05_scorers.ipynb": b"old"})
    got({"1234_1_2_x.ipynb": b""})
    got({"x1234_1234_2_05_scorers.ipynb": b"new"}, replace=True, roster=Roster([{"student_id": "1234"}]))
    assert laid(tmp_path) == [at("1234")]


OF_FOLDERS = ("..", "...", "~", "CON", "a/../../b", "-rf", "\u202eevil", "\n", "a" * 300)
FORMULAS = ("=cmd()", "+1", "@sum", "-x", "\t=1", "＝1")


@pytest.mark.parametrize("name", [*OF_FOLDERS, *FORMULAS])
def test_a_students_name_is_only_ever_a_folder_and_begins_no_formula(got, tmp_path, name):
    got(ADA, roster=Roster([{"student_id": name, "name": "ada"}]))
    (path,) = laid(tmp_path)
    assert path.count("/") == 2
    assert path[0].isalnum()
    assert path.isprintable()


def test_a_folder_that_was_unpacked_is_read_too_without_links_and_deep_folders(got, tmp_path):
    folder = tmp_path / "download"
    (folder / "eve_5_5_work" / "/".join("a" * 60)).mkdir(parents=True)
    (folder / "ada_1_2_05_scorers.ipynb").write_bytes(NOTEBOOK)
    (folder / "ada_1_3_06_decoders.ipynb").symlink_to("/etc/passwd")
    result = got(folder)
    assert laid(tmp_path) == [at("ada")]
    (_, reason), link = result.left_out
    assert "folders are nested more than 30 deep" in reason
    assert link == ("ada_1_3_06_decoders.ipynb", "it is a link or a device, not a file")


@pytest.mark.parametrize("data", [None, b"", b"nonsense", b"PK\x05\x06" + b"\xff" * 18])
def test_a_missing_or_damaged_download_is_one_line(got, tmp_path, data):
    if data is not None:
        (tmp_path / "bad.zip").write_bytes(data)
    with pytest.raises(UsageError, match=r"cannot be read: No such file" if data is None else "cannot be read"):
        got(tmp_path / "bad.zip")


def test_what_is_left_out_leaves_nothing_on_the_disk(tmp_path, pack, monkeypatch):
    monkeypatch.setattr(archive, "MAX_FILES", 3)
    to = tmp_path / "taken"
    to.mkdir()
    inside = inner({"1.ipynb": NOTEBOOK, "a.zip": many(9)})
    unpacking = archive.Unpacking(to, lambda name: name.endswith(".ipynb"), lambda parts: parts[0])
    unpacking.take(pack({"eve.zip": inside, "ada.ipynb": NOTEBOOK}))
    assert [file.name for file in unpacking.files] == ["ada.ipynb"]
    assert len(list(to.iterdir())) == 1


@pytest.mark.parametrize("there", ["link", "file", "file within"])
def test_a_place_that_cannot_be_written_costs_its_learner_alone(got, tmp_path, there):
    place, elsewhere = tmp_path / "submitted" / "ada", tmp_path / "elsewhere"
    place.parent.mkdir()
    elsewhere.mkdir()
    if there == "link":
        place.symlink_to(elsewhere)
    elif there == "file":
        place.touch()
    else:
        place.mkdir()
        (place / "05_scorers").touch()
    result = got({**OTHERS, "lea_1_2_05_scorers.ipynb": NOTEBOOK})
    assert students(result) == ["lea", "zoe"]
    assert result.without == ["ada (1)"]
    (reason,) = [reason for _, reason in result.left_out]
    assert "submitted/ada/05_scorers cannot be written" in reason
    assert there != "link" or "it is a link, expected a folder" in reason
    assert list(elsewhere.iterdir()) == []


def full(*_):
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_one_line_and_no_damaged_file(got, pack, monkeypatch):
    path, opened = pack(OTHERS), archive.Path.open
    with monkeypatch.context() as patch:
        patch.setattr(lms_import, "_write", full)
        with pytest.raises(UsageError, match=r"submitted/ada/05_scorers cannot be written: No space left on device"):
            got(path)
    to_write = lambda path, mode="r", *rest: full() if mode == "wb" else opened(path, mode, *rest)  # noqa: E731
    monkeypatch.setattr(archive.Path, "open", to_write)
    with pytest.raises(UsageError, match=r"No space left on device; set TMPDIR to another folder"):
        got(path)


def test_a_name_like_one_that_was_collected_before_is_told(got):
    got(ADA)
    result = got({"\N{CYRILLIC SMALL LETTER A}da_7_3_05_scorers.ipynb": NOTEBOOK})
    assert any("'ada', 'аda' look alike" in note for note in result.notes)


def test_somebody_left_out_is_exit_status_1_by_name(pack, tmp_path, capsys):
    path = pack({"ada_1_2_\x1b[31m.pdf": b"", "ben_3_4_05_scorers.ipynb": NOTEBOOK})
    assert main(["collect", str(path), "--to", str(tmp_path / "to")]) == 1
    out, err = capsys.readouterr()
    assert "collect: nothing was collected for ada (1)." in err
    assert "\x1b" not in out + err


@pytest.mark.parametrize("text", ["", "a,b\n1,2\n", b"\xff\xfe\x00", "\x00"])
def test_a_roster_without_names_is_one_line(roster, text):
    with pytest.raises(UsageError, match="has no column with the students' names") as caught:
        roster(text)
    assert "\n" not in str(caught.value)


def test_a_roster_may_be_cut_by_semicolons_or_tabs_and_have_odd_times(roster):
    for text in ("student_id;name\nada;Ada L\n", "\ufeffstudent_id\tname\nada\tAda L\n"):
        assert roster(text).find(["adal"]).student == "ada"
    odd = Roster([{"student_id": "ada", "submitted_at": "0001-01-01 00:00:00 +0900"}])
    assert odd.find(["ada"]).time is None


PIECES = (
    *("ada", "_", "1", "77", "LATE", "anon_x", "05_scorers", ".ipynb", ".zip", "/", "..", "\\", ":", " ", "-2", "(1)"),
    *("_assignsubmission_file_", "submission_5", "submission_metadata.yml", "é", "\u202e", "~", "$HOME", "\n"),
)
NAMED = st.lists(st.sampled_from(PIECES), min_size=1, max_size=9).map("".join)
ENTRIES = st.lists(st.tuples(NAMED, st.binary(max_size=40)), max_size=6)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(ENTRIES, st.sampled_from(["", "canvas", "moodle", "gradescope"]))
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_whatever_the_names_nothing_is_written_but_notebooks_in_their_places(tmp_path, entries, lms):
    with tempfile.TemporaryDirectory(dir=tmp_path) as folder:
        to, path = Path(folder, "a", "submitted"), Path(folder, "download.zip")
        with zipfile.ZipFile(path, "w") as file:
            for name, data in entries:
                file.writestr(name, data)
        try:
            result = collect([path], to, lms, Rules(NAMES))
        except UsageError:
            return
        written = {str(path.relative_to(to)) for path in to.rglob("*.ipynb")}
        assert written == {at(submission.student, submission.assignment) for submission in result.submissions}
        assert {path.name for path in Path(folder).iterdir()} <= {"a", "download.zip"}
