"""``grade --watch``: what arrives is graded once it lies still, and Ctrl-C ends the wait without loss."""

import json
from pathlib import Path

import pytest
from small_course import NAME

from autograder.collect.exchange import collect_inbound
from autograder.gradebook.book import FileBook
from autograder.gradebook.database import GradebookError
from autograder.grading import watch
from autograder.grading.grading_run import Run

PAGE = Path("out", "report", f"{NAME}.html")


@pytest.fixture
def pauses(monkeypatch):
    """What happens during each pause, one after another; then Ctrl-C."""
    steps = []

    def sleep(seconds):
        assert seconds == watch.PAUSE_SECONDS
        if not steps:
            raise KeyboardInterrupt
        steps.pop(0)()

    monkeypatch.setattr(watch, "sleep", sleep)
    return steps


def nothing():
    pass


def table(out):
    """The learners in each table that was printed."""
    rounds, names = [], None
    for line in out.splitlines():
        if line.startswith("student "):
            rounds.append(names := [])
        elif NAME in line and names is not None and not line.startswith("out/"):
            names.append(line.split()[0])
    return rounds


def test_what_arrives_is_graded_once_it_lies_still_and_the_report_is_rewritten(
    command, pauses, hand_in, solved, blank, tmp_path
):
    pages = []

    def arrive(student, text):
        pages.append(PAGE.read_text() if PAGE.exists() else "")
        hand_in(student, text)

    def grow():  # it is still being written
        (tmp_path / "submitted" / "ben" / NAME / f"{NAME}.ipynb").write_text(solved)

    pauses += [nothing, lambda: arrive("ada", solved), nothing, nothing]
    pauses += [lambda: arrive("ben", "{"), grow, nothing, nothing, lambda: arrive("cas", blank), nothing]
    status, out, err = command("grade", "submitted", "--watch", "--output", "out")
    assert status == 0
    assert table(out) == [["ada"], ["ben"], ["cas"]]
    assert "1 submissions, 1 judged now" in out
    assert "3 submissions, 1 judged now, 2 unchanged since an earlier run." in out
    assert err.startswith("grade: watching submitted; Ctrl-C ends it.\n")
    assert ["ada" in pages[1], "ben" in pages[1], "ben" in pages[2]] == [True, False, True]
    assert "cas" in PAGE.read_text()
    assert out.count(f"{PAGE}  ") == 3


def test_ctrl_c_while_it_grades_is_told_and_the_next_run_goes_on(command, pauses, hand_in, solved, monkeypatch):
    hand_in("ada", solved)
    pauses += [nothing] * 3
    with monkeypatch.context() as patch:
        patch.setattr(Run, "verdicts", lambda *arguments: (_ for _ in ()).throw(KeyboardInterrupt))
        status, _, err = command("grade", "submitted", "--watch", "--output", "out")
    assert status == 130
    assert err.endswith("what was judged is kept, run the same command to continue.\n")
    pauses += [nothing] * 3
    assert table(command("grade", "submitted", "--watch", "--output", "out")[1]) == [["ada"]]


def test_what_stops_one_round_is_told_once_and_tried_again(command, pauses, hand_in, solved, monkeypatch):
    failures, examine = [GradebookError("the server is away.")] * 3, FileBook.examine

    def away(self):
        if failures:
            raise failures.pop()
        return examine(self)

    monkeypatch.setattr(FileBook, "examine", away)
    hand_in("ada", solved)
    pauses += [nothing] * 8
    status, out, err = command("grade", "submitted", "--watch", "--output", "out")
    assert status == 0
    assert table(out) == [["ada"]]
    assert err.count("the server is away. It is tried again until it works") == 1


def test_json_is_one_document_for_each_time(command, pauses, hand_in, solved):
    hand_in("ada", solved)
    pauses += [nothing] * 2
    status, out, err = command("grade", "submitted", "--watch", "--output", "out", "--json")
    assert status == 0
    assert [entry["student"] for entry in json.loads(out)["submissions"]] == ["ada"]
    assert str(PAGE) in err


def test_what_arrives_in_the_exchange_is_collected_and_then_graded(
    command, pauses, hand_in, solved, tmp_path, monkeypatch
):
    inbound = tmp_path / "inbound"
    inbound.mkdir()

    def collect(root, folder, names):
        assert (folder, NAME in names) == (inbound, True)
        hand_in("ada", solved)
        return "ada claims to be submitted by ben"

    monkeypatch.setattr("autograder.collect.exchange.collect_inbound", collect)
    pauses += [lambda: (inbound / "new").touch(), *[nothing] * 4]
    status, out, err = command("grade", "submitted", "--watch", "--inbound", inbound, "--output", "out")
    assert (status, table(out)) == (0, [["ada"]])
    assert "grade: ada claims to be submitted by ben" in err


@pytest.mark.long("every way to grade")
def test_nbgrader_brings_the_last_of_what_is_in_the_exchange_and_says_who_owns_it(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    course, inbound = tmp_path / "course", tmp_path / "exchange" / "attention" / "inbound"
    for folder in (course, inbound):
        folder.mkdir(parents=True)
    lines = ["c = get_config()", f"c.Exchange.root = {str(tmp_path / 'another')!r}"]  # what is watched counts
    (course / "nbgrader_config.py").write_text("\n".join([*lines, "c.CourseDirectory.course_id = 'other'"]))
    for second in (1, 2):
        moment = f"2026-11-20 12:00:0{second}.000000 UTC"
        folder = inbound / f"ada+{NAME}+{moment}+abcdef"
        folder.mkdir()
        (folder / f"{NAME}.ipynb").write_text(f"number {second}")
        (folder / "timestamp.txt").write_text(moment)
        assert "claims to be submitted by ada but is owned by" in collect_inbound(course, inbound, [NAME, "02_other"])
        assert (course / "submitted" / "ada" / NAME / f"{NAME}.ipynb").read_text() == f"number {second}"
    assert collect_inbound(course, inbound, ["02_other"]) == ""
