"""Downloads of Canvas, Moodle and Gradescope: whose each file is, of which assignment, and what is left out."""

import json
import stat
import struct
import zipfile
from itertools import product

import downloads
import pytest
from downloads import ADA, CANVAS, METADATA, MOODLE, NOTEBOOK, OTHERS, at, inner, laid, locked, many, of, students

from autograder.collect import archive
from autograder.submissions.roster import Roster

MIB = 2**20
(SCORERS,) = ADA
BEN = {"Ben B_7_assignsubmission_file_/05_scorers.ipynb": NOTEBOOK}


def nested(depth):
    return inner({"more.zip": nested(depth - 1)} if depth else {"05_scorers.ipynb": NOTEBOOK})


# What lies in the class's folder after collecting one file of this name.
AS_CALLED = ("05_scorers", "05_scorers-2", "05_scorers (1)", "05_scorers-Copy1", "Copy of 05_Scorers")
NAMES_OF_CANVAS = {
    f"{whose}_{late}1234_56789_{name}.ipynb": whose
    for whose, late, name in product(("lovelaceada", "o_neilben", "user12"), ("", "LATE_"), AS_CALLED)
}
NAMES_OF_CANVAS |= {f"{late}anon_x7Yz1_56789_05_scorers.ipynb": "anon_x7Yz1" for late in ("", "LATE_")}
NAMES_OF_CANVAS["submissions/müllerjürgen_1_2_05_scorers.ipynb"] = "müllerjürgen"
OF_MOODLE = ("_/05_scorers.ipynb", "/05_scorers.ipynb", "_/work/05_scorers (2).ipynb", "_05_scorers.ipynb")
NAMES_OF_MOODLE = {f"Ada Lovelace_123456_assignsubmission_file{rest}": "Ada_Lovelace" for rest in OF_MOODLE}


def case(files, edit=None, **words):
    """Files of a download, what befalls the zip; limits of ``archive``, rules of collecting, and what came of it."""
    limits = {word: words.pop(word) for word in list(words) if word.isupper()}
    rules = {word: words.pop(word) for word in ("asked", "assignment", "assignments", "roster") if word in words}
    return files, edit, limits, rules, words


def damaged(data):
    return data[:60] + b"\xff" * 10 + data[70:]


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
TIMES = [("1234", "2026-11-18 21:30:00.250000 UTC"), ("77", "2026-11-18 23:00:00.000000 UTC")]
TIMES += [("ben@example.org", TIMES[1][1])]
FORGED = {
    "x/submission_111/submission_metadata.yml": METADATA.replace("1234", "77"),
    "x/submission_111/05_scorers.ipynb": NOTEBOOK,
    "x/submission_metadata.yml": METADATA,
}
UNNAMED = {"submission_metadata.yml": "'': {':submitters': [{':sid': '7'}]}", "05_scorers.ipynb": NOTEBOOK}
TWENTY = of(*(f"Ada_{number}_assignsubmission_file" for number in range(20)))
OF_MALLORY = {
    f"{MOODLE}/submission_metadata.yml": downloads.METADATA_OF_ADA,
    f"{MOODLE}/work.zip": inner({"submission_5/05_scorers.ipynb": NOTEBOOK}),
}
TYPED_OF_MALLORY = f"{MOODLE.replace('file', 'onlinetext')}/Ada_1_assignsubmission_file_/05_scorers.ipynb"
SCORERS_ALONE = {"05_scorers.ipynb": NOTEBOOK}
DOTTED = "__MACOSX/._ada_1_2_05_scorers.ipynb"
OF_EVE = ("eve_1_2_05_scorers.ipynb", "it has more than 1 MiB")
SAYS = json.dumps({"cells": [], "metadata": {"course": {"assignment": "06_decoders"}}})
AT_LEAST = ("late according to Canvas: ada.", "no time of submission is known for 2 of 2")
TOO_MANY = "eve (5) has more than 5000 files; it and those after it are left out"
BIG = many(6, bytes(MIB), "ipynb")
EVE = "eve_5_5_work.zip"
DEEPEST = f"{EVE}/more.zip/more.zip/more.zip"
ZIPS = inner({"a.zip": many(20), "b.zip": many(20), "05_scorers.ipynb": NOTEBOOK})
PICTURES = inner({f"{number}.png": b"" for number in range(40)} | {"a.zip": b"no zip"})
FEW_PICTURES = [("a.zip", "it is not a zip, or is damaged (File is not a zip file)")]
FEW_PICTURES += [(f"{number}.png", "it is not a notebook") for number in range(19)]
AFTER_EVE = {"students": ["ada", "zoe"], "without": ["eve (5)"]}
SAME_FOLDER = [{"student_id": "a b", "id": "1"}, {"student_id": "a_b", "id": "2"}]
CANVAS_ROSTER = 'Student,ID,SIS User ID,SIS Login ID,Section\n"Lovelace, Ada",1234,s1,al1,A\n"Smith, Ann",7,s2,as2,A\n'
TWO_ANNS = "student_id,name\nann1,Ann Smith\nann2,Ann Smith\n"
STROKES = 'student_id,name\ns031,"Åberg, Øystein"\nz1,Zoe\nz2,Zoë\n'
SCORES = "student_id,name,score\nada,Ada,77\n"
UNKNOWN = "eve: the roster does not have this name or number; kept as eve."
OTHER = {"data": b"other"}
ANNS = of("smithann_1_2") | of("smithann_7_3", **OTHER)
NEARLY_ALIKE = of(f"{'王' * 120}一_1_2") | of(f"{'王' * 120}二_2_3", **OTHER)
SECOND = {"ada_1_2_05_scorers_2.ipynb": NOTEBOOK}
OF_TWENTY = {f"Eve_5_assignsubmission_file_/{number}.ipynb": NOTEBOOK for number in range(20)}
FOUR, TEN = struct.pack("<L", 4 * MIB), struct.pack("<L", 10)
DOWNLOADS = {
    "a text typed into Moodle": case({TYPED: b"<p>"}, asked="moodle", left_out=[(TYPED, "it is not a notebook")]),
    "Gradescope's metadata say who and when": case(OF_GRADESCOPE, lms="gradescope", times=TIMES),
    "a file outside all folders may be named too": case(UNNAMED, asked="gradescope", laid=[at("7")]),
    "metadata that a learner handed in are not believed": case(FORGED, students=["1234"]),
    "a notebook says which assignment it is": case({"ada_1_2_my final.ipynb": SAYS}, laid=[at("ada", "06_decoders")]),
    "a longer assignment's name is not a copy of a shorter one": case(
        SECOND, assignments=dict.fromkeys(("05_scorers", "05_scorers_2"), frozenset()), laid=[at("ada", "05_scorers_2")]
    ),
    "two of one name": case(ANNS, students=["smithann_1", "smithann_7"], note="several are called smithann"),
    "late by Canvas": case(of("ada_LATE_1_2", "ben_2_3"), untimed=AT_LEAST),
    "metadata within a Moodle submission": case(OF_MALLORY | BEN, lms="moodle", students=["Ben_B", "Mallory_M"]),
    "one zip of Moodle's names does not turn a class of Canvas": case(
        of("ada_1_2", "ben_2_3") | {f"{CANVAS}x.zip": inner(TWENTY | SCORERS_ALONE)}, students=["ada", "ben", "mallory"]
    ),
    "a typed text of other names": case(
        {TYPED_OF_MALLORY: NOTEBOOK} | BEN, students=["Ben_B"], without=["Mallory M (66)"]
    ),
    "a bomb is left out and the next is read": case(
        of("eve_1_2", data=bytes(MIB + 1)) | of("ada_1_3"), MAX_BYTES=MIB, left_out=[OF_EVE], students=["ada"]
    ),
    "too much in all is refused file by file": case(
        of(*(f"s_{number}_2" for number in range(6)), data=bytes(MIB)), MAX_TOTAL=3 * MIB, counts=(3, 3)
    ),
    "zips within zips end somewhere": case({EVE: nested(6)}, students=[], told=("this deep", [DEEPEST])),
    "a giant list of names": case({EVE: many(100)}, MAX_DIRECTORY=1000, told=("list of file names is too long", [EVE])),
    "housekeeping is counted, not listed": case({DOTTED: b"", **ADA, ".DS_Store": b""}, housekeeping=2, left_out=[]),
    "what hidden folders keep is not listed": case(
        {EVE: inner({".git/HEAD": b"", "a/.venv/b.py": b"", "a/05_scorers.ipynb": NOTEBOOK})},
        **{"housekeeping": 2, "students": ["eve"], "left_out": []},
    ),
    "a zip of many files": case({EVE: many(archive.MAX_FILES + 1), **OTHERS}, left_out=[(EVE, TOO_MANY)], **AFTER_EVE),
    "many files in a folder are told in one line": case(
        OF_TWENTY | BEN, MAX_FILES=5, students=["Ben_B"], told=("more than 5 files", [[*OF_TWENTY][5]])
    ),
    "many pictures of one learner hide nothing of another's": case(
        {EVE: PICTURES, **OTHERS, "zoe_9_9_notes.pdf": b""},
        left_out=[
            *((f"{EVE}/{name}", reason) for name, reason in FEW_PICTURES),
            ("21 more files of eve (5)", "so many are not listed one by one"),
            ("zoe_9_9_notes.pdf", "it is not a notebook"),
        ],
        **AFTER_EVE,
    ),
    "a zip in a zip": case({EVE: ZIPS, **OTHERS}, MAX_FILES=30, told=("more than 30 files", [EVE]), **AFTER_EVE),
    "much data": case({EVE: BIG, **OTHERS}, MAX_SUBMISSION=3 * MIB, told=("more than 3 MiB", [EVE]), **AFTER_EVE),
    "a download over the total leaves no later learner out": case(
        {EVE: BIG, "eva_6_6_work.zip": BIG, **OTHERS},
        MAX_TOTAL=4 * MIB,
        students=["ada", "zoe"],
        without=["eva (6)", "eve (5)"],
    ),
    "a name of a thousand folders is left out": case(of(f"eve_5_5_work/{'a/' * 1000}") | OTHERS, **AFTER_EVE),
    "long names in any alphabet fit and stay apart": case(NEARLY_ALIKE, counts=(2, 0)),
    "two of the roster whose names make one folder stay apart": case(
        of("x_1_2") | of("y_2_3", **OTHER), roster=Roster(SAME_FOLDER), students=["a_b", "a_b_1"]
    ),
    "Canvas's roster, by number": case(of("lovelaceada_1234_9"), roster=CANVAS_ROSTER, students=["al1"]),
    "Canvas's roster, by name": case(of("lovelaceada_99_9"), roster=CANVAS_ROSTER, students=["al1"]),
    "not in the roster": case(of("eve_5_9"), roster=CANVAS_ROSTER, students=["eve"], note=UNKNOWN),
    "a name without diacritics": case(of("abergoystein_5_9"), roster=STROKES, students=["s031"]),
    "exactly this name": case(of("zoe_5_9"), roster=STROKES, students=["z1"]),
    "two names without diacritics": case(of("zôe_5_9"), roster=STROKES, students=["zôe"], note="matches: z1, z2"),
    "twice in the roster": case(of("annsmith_5_9"), roster=TWO_ANNS, students=["annsmith"], note="ann1, ann2"),
    "a number in another column of the roster": case(of("eve_77_9"), roster=SCORES, students=["eve"]),
    "a link": case([(LINK, b"/etc/passwd")], laid=[], left_out=[(SCORERS, "it is a link or a device, not a file")]),
    "a bomb that lies about its size": case(
        of("ada_1_2", data=bytes(4 * MIB)), instead(FOUR, TEN), MAX_BYTES=MIB, laid=[], files_left_out=[SCORERS]
    ),
    "damaged bytes": case(of("ada_1_2", data=NOTEBOOK * 50), damaged, laid=[], told=("damaged", [SCORERS])),
    "a locked file": case(ADA | BEN, locked, lms="moodle", left_out=[(SCORERS, "it is protected by a password")]),
    "an entry without a name": case(
        {"@.ipynb": NOTEBOOK, **ADA}, instead(b"@", b"\x00"), laid=[at("ada")], left_out=[("?", "it has no name")]
    ),
    "UTF-8 without the flag": case(of("m@@_1_2"), instead(b"m@@", "mü".encode()), laid=[at("mü")], left_out=[]),
}
ATTEMPTS = [("1_20_05_scorers", "1_30_05_scorers"), ("1_20_05_scorers-1", "1_20_05_scorers-2")]
ATTEMPTS += [("1_20_05_scorers-9", "1_20_05_scorers-10"), ("1_9_05_scorers-3", "LATE_1_10_05_scorers")]
for first, last in [[f"ada_{attempt}.ipynb" for attempt in pair] for pair in ATTEMPTS]:
    for files in ({first: b"first", last: b"last"}, {last: b"last", first: b"first"}):
        DOWNLOADS[f"of two attempts the last: {[*files]}"] = case(
            files, files_left_out=[first], note=f"2 attempts at 05_scorers; {last} counts."
        )
for lms, names in {"canvas": NAMES_OF_CANVAS, "moodle": NAMES_OF_MOODLE}.items():
    DOWNLOADS |= {name: case({name: NOTEBOOK}, asked=lms, laid=[at(student)]) for name, student in names.items()}
# What lies within a submission is its submitter's, whatever it is called.
PRETENDED = ("ada_1_2_05_scorers.ipynb", "Ada_1_assignsubmission_file_05_scorers.ipynb")
FOLDERS = ("ada_1_2_work", "Ada_1_assignsubmission_file_", "submission_5")
OF_ADA = {"submission_metadata.yml": downloads.METADATA_OF_ADA}
WITHIN = {CANVAS: ["mallory"], MOODLE: ["Mallory_M"], f"{MOODLE}/": ["Mallory_M"]}
for begin, name in product(WITHIN, (*PRETENDED, *(f"{folder}/05_scorers.ipynb" for folder in FOLDERS))):
    files = {f"{begin}work.zip": inner({name: NOTEBOOK} | OF_ADA)}
    for asked in ("", "canvas", "moodle"):
        whose = [] if asked and (asked == "canvas") != (begin == CANVAS) else WITHIN[begin]
        DOWNLOADS[f"within, read as {asked}: {begin}{name}"] = case(files, asked=asked, students=whose)
for begin, name in product(WITHIN, PRETENDED):
    DOWNLOADS[f"behind the own name: {begin}{name}"] = case({begin + name: NOTEBOOK}, students=WITHIN[begin])
for name in ("../../ada_1_2_05_scorers.ipynb", "/etc/ada_1_2_05_scorers.ipynb", "C:\\ada_1_2_05_scorers.ipynb"):
    outside = [(name.replace("\\", "/").strip("/"), "its name points outside the archive")]
    DOWNLOADS[f"outside: {name}"] = case({name: NOTEBOOK}, left_out=outside, students=[])
OF_OTHERS = (
    "06 Masking_s1234567_attempt_2026-11-20-12-30-05_05_scorers.ipynb",
    "123456-7890 - Ada Lovelace - Nov 20, 2026 1230 PM/05_scorers.ipynb",
    "Ada Lovelace - 05_scorers.ipynb",
)
for name in OF_OTHERS:
    DOWNLOADS[name] = case({name: NOTEBOOK}, lms="", laid=[], files_left_out=[name], note="no download of Canvas")
UNKNOWN_WORK = [("ada_1_2_essay.ipynb", "it is none of 05_scorers, 06_decoders")]
for data in (NOTEBOOK, b"\xff", b"[" * 100_000, b'{"metadata": {"course": {"assignment": [1]}}}'):
    DOWNLOADS[f"none: {data[:40]!r}"] = case({"ada_1_2_essay.ipynb": data}, students=[], left_out=UNKNOWN_WORK)
for data in (b"", b"PK\x03\x04", b"nonsense", b"PK\x05\x06" + b"\xff" * 18):
    DOWNLOADS[f"a damaged zip: {data!r}"] = case({EVE: data, **ADA}, files_left_out=[EVE], students=["ada"])
for other in ("Ada", "\N{CYRILLIC SMALL LETTER A}da", "ad\N{GREEK SMALL LETTER ALPHA}", "ａda"):
    alike = of("ada_1_2", f"{other}_7_3")
    DOWNLOADS[f"names that look alike: {other}"] = case(alike, counts=(2, 0), note=("look alike", "several are called"))
for time in ("0001-01-01 00:00:00 +09:00", "'0001-01-01T00:00:00+09:00'", "'9999-12-31T23:59:59-09:00'"):
    text = f"submission_1:\n  ':submitters': [{{':sid': ada}}]\n  ':created_at': {time}\n"
    files = {"submission_metadata.yml": text, "submission_1/05_scorers.ipynb": NOTEBOOK}
    DOWNLOADS[f"a time out of range: {time}"] = case(files, students=["ada"])


@pytest.mark.parametrize("name", DOWNLOADS)
def test_a_download_becomes_the_class_that_it_holds(got, pack, tmp_path, monkeypatch, name):
    files, edit, limits, rules, expected = DOWNLOADS[name]
    for limit, value in limits.items():
        monkeypatch.setattr(archive, limit, value)
    path = pack(files)
    path.write_bytes(edit(path.read_bytes()) if edit else path.read_bytes())
    result = got(path, rules.pop("asked", ""), **rules)
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
    notes = " ".join(result.notes)
    assert all(text in result.untimed for text in expected.get("untimed", ()))
    note = expected.get("note", "")
    assert any(words in notes for words in ([note] if isinstance(note, str) else note))
    if "told" in expected:
        words, files = expected["told"]
        assert [file for file, reason in result.left_out if words in reason] == files
    assert {path.name for path in tmp_path.iterdir()} <= {"submitted", "download.zip", "roster.csv"}
    assert len(set(students(result))) == len({path.split("/")[0] for path in laid(tmp_path)})
