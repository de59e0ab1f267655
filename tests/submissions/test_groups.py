"""Work of a group counts for each of its members, by the roster's word and never by a name that a learner chose."""

import re

import pytest
from downloads import METADATA, NOTEBOOK, at, laid, of, students

from autograder.__main__ import main
from autograder.errors import UsageError

ROSTER = """\
student_id,id,name,group
ada,11,Ada Lovelace,Team Alpha
ben,12,Ben,Team Alpha
cas,13,Cas,Team Beta
dora,14,Dora,
"""
NAMES_ALONE = "student_id,name,group\nada,Ada Lovelace,Team Alpha\nben,Ben,Team Alpha\ncas,Cas,Team Beta\ndora,Dora,\n"
CANVAS_GROUPS = """\
name,canvas_user_id,user_id,login_id,sections,group_name,canvas_group_id,group_id
Ada Lovelace,11,,ada,A,Team Alpha,5,
Ben,12,,ben,A,Team Alpha,5,
"""
MOODLE = "Team Alpha_17_assignsubmission_file_"
BOTH = [at("ada"), at("ben")]


@pytest.mark.parametrize(
    ("files", "people"),
    {
        "Canvas names the group and one member": (of("teamalpha_11_500"), ROSTER),
        "Canvas names one member alone": (of("lovelaceada_11_500"), ROSTER),
        "Canvas's group, and its own table of groups": (of("teamalpha_12_500"), CANVAS_GROUPS),
        "Canvas's group, and a roster without numbers": (of("teamalpha_11_500"), NAMES_ALONE),
        "Moodle names the group, with the group's number": ({f"{MOODLE}/05_scorers.ipynb": NOTEBOOK}, ROSTER),
        "Moodle without folders": ({f"{MOODLE}05_scorers.ipynb": NOTEBOOK}, ROSTER),
    }.values(),
)
def test_each_member_gets_it(got, files, people, tmp_path):
    result = got(files, roster=people)
    assert students(result) == ["ada", "ben"]
    assert laid(tmp_path) == BOTH
    assert next(note for note in result.notes if "handed in for" in note).endswith("handed in for ada, ben.")
    assert (result.without, result.left_out) == ([], [])


def test_gradescope_lists_the_members_and_the_roster_adds_whom_they_forgot(got, tmp_path):
    files = {"export/submission_metadata.yml": METADATA, "export/submission_222/05_scorers.ipynb": NOTEBOOK}
    assert students(got(files)) == ["77", "ben@example.org"]
    roster = "student_id,email,group\nben,ben@example.org,A\ncy,cy@example.org,A\neva,eva@example.org,A\n"
    result = got(files, roster=roster, replace=True)
    assert [student for student in students(result) if student in ("ben", "cy", "eva")] == ["ben", "cy", "eva"]
    assert result.left_out == []  # the file that is listed with each submitter is not their second attempt


def test_of_what_two_members_hand_in_the_last_counts_for_both(got, tmp_path):
    first, last = NOTEBOOK.replace(b"{}", b'{"a": 1}'), NOTEBOOK.replace(b"{}", b'{"a": 2}')
    got({"ada_11_500_05_scorers.ipynb": first, "ben_12_501_05_scorers.ipynb": last}, roster=ROSTER)
    assert laid(tmp_path) == BOTH
    assert {(tmp_path / "submitted" / name).read_bytes() for name in BOTH} == {last}


def test_who_is_in_no_group_hands_in_alone(got):
    assert students(got(of("dora_14_500", "cas_13_501"), roster=ROSTER)) == ["cas", "dora"]


@pytest.mark.parametrize(
    "name", ["teamalpha_13_500_05_scorers.ipynb", "Team Alpha_13_assignsubmission_file_/05_scorers.ipynb"]
)
def test_who_calls_themselves_like_another_group_does_not_hand_in_for_it(got, name):
    result = got({name: NOTEBOOK}, roster=ROSTER)
    assert not {"ada", "ben"} & set(students(result))
    assert "cas by this number or name, and a group of this name without them" in result.notes[0]


def test_a_group_of_a_learners_name_is_refused_and_so_is_somebody_in_two(got):
    roster = "student_id,name,group\nada,Ada,Ben\nben,Ben,Other\n"
    assert "a group of this name without them" in got(of("ben_99_500"), roster=roster).notes[0]
    with pytest.raises(UsageError, match="has ada in several groups, expected at most one"):
        got(of("ada_11_500"), roster="student_id,group\nada,A\nada,B\n")


def test_the_time_is_that_of_who_handed_it_in_else_of_each_member(got, tmp_path):
    roster = (
        "student_id,id,group,submitted_at\nada,11,A,2026-11-20 12:00 UTC\nben,12,A,\n"
        "cas,13,B,2026-11-20 14:00 UTC\ndora,14,B,2026-11-20 15:00 UTC\n"
    )
    result = got(of("a_11_500", "b_99_500"), roster=roster)
    times = {submission.student: submission.time[:16] for submission in result.submissions}
    assert times == {
        "ada": "2026-11-20 12:00",
        "ben": "2026-11-20 12:00",
        "cas": "2026-11-20 14:00",
        "dora": "2026-11-20 15:00",
    }


def test_a_roster_with_groups_merges_nobody_unless_groups_are_asked_for(pack, tmp_path, monkeypatch, capsys):
    first, last = NOTEBOOK.replace(b"{}", b'{"a": 1}'), NOTEBOOK.replace(b"{}", b'{"a": 2}')
    download = pack({"ada_11_500_05_scorers.ipynb": first, "ben_12_501_05_scorers.ipynb": last})
    (tmp_path / "roster.csv").write_text(ROSTER)
    monkeypatch.chdir(tmp_path)
    line = ["collect", str(download), "--roster", "roster.csv", "--to"]
    main([*line, "alone"])
    assert "roster.csv has groups, but this is individual work" in capsys.readouterr().err
    assert [(tmp_path / "alone" / name).read_bytes() for name in (at("ada"), at("ben"))] == [first, last]
    main([*line, "together", "--groups"])
    assert "handed in for ada, ben." in capsys.readouterr().err
    assert {(tmp_path / "together" / name).read_bytes() for name in (at("ada"), at("ben"))} == {last}
    for text, roster in {"group,student_id\n,ada\n": line[2:4], "student_id\nada\n": line[2:4], "": []}.items():
        (tmp_path / "roster.csv").write_text(text)
        assert main([*line[:2], *roster, "--to", "nowhere", "--groups"]) == 2
        expected = r"(roster\.csv puts nobody into a group|no roster that says).*a column called group or group name or"
        assert re.search(expected, capsys.readouterr().err)
        assert not (tmp_path / "nowhere").exists()
