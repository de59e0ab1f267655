"""A class is a folder beside the package: its table, its own exercises, its grades, and what an upgrade changes."""

import csv
import datetime
import io
import json
import re
import shutil
from pathlib import Path

import pytest
import small_course
from nbgrader.api import Gradebook
from nbgrader.converters import Autograde
from nbgrader.coursedir import CourseDirectory

from autograder import folders
from autograder.__main__ import main
from autograder.assignments.assignment import load
from autograder.assignments.wheel import requirement, shared_tasks
from autograder.class_table import parsed, read
from autograder.errors import UsageError
from autograder.gradebook.class_scores import class_scores
from autograder.settings import Log, configured
from autograder.store import versions

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "book" / "instructors.md").read_text(encoding="utf-8")
FILES = re.compile(r"`(?P<path>(?:tasks|solutions)/\w+\.py)`[^\n]*\n\n```python\n(?P<code>.*?)^```$", re.M | re.S)
OWN = "17_centring"
TABLE = f"""
name = "autumn"
time_zone = "Europe/Berlin"
late = 10
best = 2
[exercises]
05_scorers = {{weight = 3}}
{OWN} = {{weight = 1, due = 2026-11-20 12:00:00}}
[extensions]
ben.{OWN} = 2026-11-27 12:00:00
"""
FAULTY = TABLE.replace("weight = 1,", 'weight = 1, full_points = ["centred"],')


@pytest.fixture
def autumn(tmp_path, monkeypatch, capsys, only_tasks_of_the_course) -> Path:
    """A class with the exercise of the instructors' page, in which commands are run, with a judge without a sandbox."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("autograder.judging.judge.Judge", small_course.FakeJudge)
    monkeypatch.setattr("autograder.sandbox.proof.require_fit", lambda *folders: None)
    assert main(["new-class", "autumn"]) == 0
    root = tmp_path / "autumn"
    for match in FILES.finditer(PAGE):
        (root / match["path"]).write_text(match["code"], encoding="utf-8")
    (root / folders.TABLE).write_text(TABLE, encoding="utf-8")
    monkeypatch.chdir(root)
    capsys.readouterr()
    return root


@pytest.fixture
def graded(autumn, capsys) -> Path:
    """Two days and a bit late, three learners hand in the same; Ben has an extension, and Cleo wrote nothing."""
    assert main(["build"]) == 0
    right = (autumn / "build" / "source" / OWN / f"{OWN}.ipynb").read_text(encoding="utf-8")
    blank = (autumn / "exercises" / OWN / f"{OWN}.ipynb").read_text(encoding="utf-8")
    for student, text in {"ada": right, "ben": right, "cleo": blank}.items():
        folder = autumn / "submitted" / student / OWN
        folder.mkdir(parents=True)
        (folder / f"{OWN}.ipynb").write_text(text, encoding="utf-8")
        (folder / "timestamp.txt").write_text("2026-11-22 13:00:00 Europe/Berlin\n")
    assert main(["grade", "submitted"]) == 0
    capsys.readouterr()
    return autumn


def scores(root: Path) -> dict[str, tuple[float, float]]:
    """Learner → points before the penalty, and what is taken off."""
    with Gradebook(f"sqlite:///{root}/grades/gradebook.db") as gradebook:
        return {name: (line.points, line.penalty) for name, line in class_scores(gradebook, OWN).items()}


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


def test_a_new_class_has_every_exercise_of_the_course_and_is_private(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(["new-class", "autumn", "--time-zone", "Asia/Tokyo", "--variant", "k7"]) == 0
    table = read(tmp_path / "autumn")
    assert table is not None
    assert [*table.exercises] == sorted(path.stem for path in (ROOT / "solutions").glob("[!_]*.py"))
    assert (table.name, table.time_zone) == ("autumn", "Asia/Tokyo")
    assert json.loads((tmp_path / "autumn" / "variants.json").read_text())["key"] == "k7"
    for name in ("grades", "submitted"):
        assert (tmp_path / "autumn" / name).stat().st_mode & 0o077 == 0
        assert f"{name}/" in (tmp_path / "autumn" / ".gitignore").read_text()
    steps = capsys.readouterr().out
    for step in ("autumn/class.toml", "autumn/roster.csv", "syllabus", "build", "wheel", "collect", "grade submitted"):
        assert step in steps
    for line, message in {("autumn",): "is there already", ("x", "--time-zone", "Mars"): "time_zone is 'Mars'"}.items():
        assert main(["new-class", *line]) == 2
        assert message in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


def test_the_exercises_are_those_of_the_table_and_those_in_the_folder(autumn, capsys):
    assert main(["build"]) == 0
    built = sorted(path.name for path in (autumn / "exercises").iterdir())
    assert built == ["05_scorers", OWN]
    assert (autumn / "exercises" / "05_scorers" / "05_scorers.ipynb").read_bytes() == (
        ROOT / "exercises" / "05_scorers" / "05_scorers.ipynb"
    ).read_bytes()
    assert main(["build", "--check"]) == 0
    release = (autumn / "exercises" / OWN / f"{OWN}.ipynb").read_text(encoding="utf-8")
    assert "def centred" in release
    assert "keepdim" not in release
    assert 'check(\\"centred\\", centred)' in release
    assert load(autumn, OWN).check_modules == ("autograder.tasks.centring",)


def test_a_reference_stays_with_the_instructor_unless_its_author_shares_it(autumn):
    assert shared_tasks(autumn) == [autumn / "tasks" / "centring.py"]
    script = autumn / "solutions" / f"{OWN}.py"
    script.write_text(script.read_text(encoding="utf-8").replace("#     shared: true\n", ""), encoding="utf-8")
    assert shared_tasks(autumn) == []
    assert main(["build"]) == 0
    release = (autumn / "exercises" / OWN / f"{OWN}.ipynb").read_text(encoding="utf-8")
    assert 'check(\\"centred\\"' not in release
    assert release.count("runs when your work is graded") == 1
    assert sorted(load(autumn, OWN).checks.values()) == [1, 1]


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        (folders.TABLE, TABLE.replace("05_", "55_"), "there is no exercise '55_scorers'"),
        ("solutions/05_scorers.py", "", "has the name of the course's own exercise"),
        ("tasks/scorers.py", "", "has the name of a file of the course's own tasks"),
    ],
)
def test_names_that_mean_nothing_or_two_things_are_refused(autumn, capsys, path, text, message):
    (autumn / path).write_text(text, encoding="utf-8")
    (autumn / "mine.ipynb").write_bytes((ROOT / "exercises" / "05_scorers" / "05_scorers.ipynb").read_bytes())
    assert main(["check", "mine.ipynb"]) == 2
    assert message in capsys.readouterr().err


def test_where_learners_find_the_package_is_a_line_of_the_table(autumn):
    assert requirement(autumn) == requirement(ROOT)
    (autumn / folders.TABLE).write_text(f'package = "https://attention.example/files/"\n{TABLE}', encoding="utf-8")
    assert requirement(autumn).startswith("learning-to-align @ https://attention.example/files/learning_to_align-")


def test_lateness_costs_what_the_table_says_and_an_extension_is_one_learners(graded, capsys):
    full, _ = scores(graded)["ben"]
    assert scores(graded) == {"ada": (full, pytest.approx(0.3 * full)), "ben": (full, 0.0), "cleo": (0.0, 0.0)}
    assert configured(graded, graded / "grades").Course.time_zone == "Europe/Berlin"
    table = TABLE.replace("ben.", "ada.").replace("late = 10", "late = 100")
    table = table.replace("weight = 3}", "weight = 3, due = 2026-12-20 12:00:00}")
    (graded / folders.TABLE).write_text(table)
    assert main(["syllabus"]) == 0
    shown = capsys.readouterr().out
    assert "ada has more time: 17_centring 2026-11-27 12:00" in shown
    assert "costs 100 per cent" in shown
    assert "grades/gradebook.db: 17_centring; once graded: 05_scorers\n" in shown
    page = (graded / "syllabus.md").read_text(encoding="utf-8")
    assert f"| {OWN} | 2026-11-20 12:00 | 1 | Centred scores |" in page
    assert "ada" not in page
    assert main(["grade", "submitted"]) == 0
    assert scores(graded) == {"ada": (full, 0.0), "ben": (full, full), "cleo": (0.0, 0.0)}


def test_a_task_that_proved_faulty_gives_its_points_to_all_who_handed_in_until_the_table_changes_again(graded, capsys):
    before = scores(graded)
    page = graded / "grades" / "feedback" / "cleo" / OWN / f"{OWN}.html"
    note = "Everybody has all points of “Task 1: take off the mean”, whatever was written."
    assert before["cleo"][0] < before["ada"][0]
    for table, cleo in {FAULTY: before["ada"], TABLE: before["cleo"]}.items():
        (graded / folders.TABLE).write_text(table)
        assert main(["grade", "submitted"]) == 0
        assert "3 submissions, 0 judged now" in capsys.readouterr().out
        assert scores(graded) == before | {"cleo": cleo}
        assert (note in page.read_text(encoding="utf-8")) == (table == FAULTY)
        assert main(["report"]) == 0
        assert "or the gradebook was edited" not in (graded / "grades/report" / f"{OWN}.html").read_text("utf-8")
        assert main(["syllabus"]) == 0
        assert (f"All who hand in {OWN} have all points of centred." in capsys.readouterr().out) == (table == FAULTY)


def test_the_points_of_a_faulty_task_are_given_by_nbgraders_own_command_too(graded):
    before = scores(graded)
    (graded / folders.TABLE).write_text(FAULTY)
    config, log = configured(graded, graded / "grades"), Log().logger
    config.CourseDirectory.assignment_id, config.Autograde.force = OWN, True
    Autograde(coursedir=CourseDirectory(config=config, log=log), config=config, log=log).start()
    assert scores(graded) == before | {"cleo": before["ada"]}


@pytest.mark.parametrize("command", [["syllabus"], ["grade", "submitted"]])
def test_a_task_that_there_is_not_has_no_points_to_give(graded, capsys, command):
    (graded / folders.TABLE).write_text(FAULTY.replace("centred", "centered"))
    assert main(command) == 2
    assert f"the full_points of {OWN} name 'centered', expected some of centred." in capsys.readouterr().err


def test_the_class_itself_is_no_folder_of_submissions(graded, capsys):
    for folder, place in {".": "submitted", str(graded.parent): str(graded / "submitted")}.items():
        assert main(["grade", folder]) == 2
        assert capsys.readouterr().err.endswith(f"such as `grade {place}`.\n")


def test_totals_are_those_of_what_was_graded(graded, capsys):
    past = TABLE.replace("2026-11-20", "2000-01-01")
    for table, status in {past: 0, past.replace("weight = 3}", "weight = 3, due = 2000-01-01 12:00:00}"): 1}.items():
        (graded / folders.TABLE).write_text(table)
        assert main(["export", "--to", "totals"]) == status
        assert "not graded yet, and in no total: 05_scorers" in capsys.readouterr().err
    rows = totals(graded)
    whole = 50.0  # a person has still to give the other two points
    assert {row["student_id"]: float(row["total"]) for row in rows} == {"ada": 0.7 * whole, "ben": whole, "cleo": 0.0}
    assert {row["counted"] for row in rows} == {OWN}


def totals(root):
    return list(csv.DictReader(io.StringIO((root / "grades" / "exports" / "totals.csv").read_text("utf-8"))))


def test_what_is_not_due_yet_is_in_no_total(graded, capsys):
    """For the class, though some have handed it in; for one learner who has more time, and has not."""
    (graded / folders.TABLE).write_text(TABLE.replace("2026-11-2", "9998-11-2"))
    assert main(["export", "--to", "totals"]) == 2
    assert "is due and graded yet" in capsys.readouterr().err
    later = TABLE.replace("2026-11-20", "2000-01-01").replace("weight = 3}", "weight = 3, due = 9998-01-01 12:00:00}")
    (graded / folders.TABLE).write_text(later.replace("ben.", "dora.").replace("2026-11-27", "9998-01-01"))
    (graded / "roster.csv").write_text("student_id\ndora\nemil\n")
    assert main(["grade", "submitted"]) == 0
    capsys.readouterr()
    assert main(["export", "--to", "totals"]) == 0
    assert capsys.readouterr().err.splitlines()[1:] == [  # the first: two still to be graded by hand
        "export: not due yet, and in no total: 05_scorers.",
        f"export: dora has more time, and {OWN} is not in their total.",
    ]
    assert {row["student_id"]: (row[OWN], row["counted"]) for row in totals(graded)[-2:]} == {
        "dora": ("", ""),
        "emil": ("0.0", OWN),
    }


def test_after_an_upgrade_the_next_command_says_what_changed_and_points_stay(graded, capsys, monkeypatch):
    before = scores(graded)
    assert main(["report"]) == 0
    assert capsys.readouterr().err == ""
    of = versions.version
    monkeypatch.setattr(versions, "version", lambda name: "9.9" if name == "numpy" else of(name))
    changed = f"numpy {of('numpy')} → 9.9"
    assert main(["report"]) == 0
    assert f"report: 3 submissions were graded before this: {changed}; `regrade --dry-run`" in capsys.readouterr().err
    assert main(["grade", "submitted"]) == 0
    shown = capsys.readouterr().out
    assert f"Since they were graded before: {changed}.\n" in shown
    assert "3 judged again: 3 identical byte for byte" in shown
    assert scores(graded) == before
    with (graded / "tasks" / "centring.py").open("a", encoding="utf-8") as file:
        file.write("# a better word\n")
    assert main(["grade", "submitted", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)["judged_again"]
    assert [work["why"] for work in again] == 3 * [["different tasks", "different checks in tasks/centring.py"]]
    assert main(["report"]) == 0
    assert capsys.readouterr().err == ""


def test_work_that_was_handed_in_anew_is_no_change_of_ours(graded, capsys, monkeypatch):
    notebook = graded / "submitted" / "cleo" / OWN / f"{OWN}.ipynb"
    shutil.copyfile(graded / "build" / "source" / OWN / f"{OWN}.ipynb", notebook)
    assert main(["grade", "submitted"]) == 0
    assert "Since they were graded before" not in capsys.readouterr().out


def test_the_class_has_its_own_roster(autumn, tmp_path, capsys):
    (autumn / "roster.csv").write_text("student_id,first_name,last_name,email\nal815,Ada,Lovelace,ada@example.org\n")
    download = tmp_path / "download"
    download.mkdir()
    notebook = (ROOT / "exercises" / "05_scorers" / "05_scorers.ipynb").read_bytes()
    (download / "lovelaceada_1234_56789_05_scorers.ipynb").write_bytes(notebook)
    assert main(["collect", str(download)]) == 0
    assert (autumn / "submitted" / "al815" / "05_scorers" / "05_scorers.ipynb").read_bytes() == notebook


def test_everybody_on_the_roster_is_in_the_gradebook_by_name(graded):
    """However the names are written; a learner who is on no roster stays, and names that change are entered again."""
    roster = graded / "roster.csv"
    roster.write_text("student_id,first_name,last_name,email\nada,Ada,Lovelace,ada@example.org\ndora,Dora,Maar,\n")
    assert main(["grade", "submitted"]) == 0
    assert people(graded) == {"ada": "Lovelace, Ada", "ben": None, "cleo": None, "dora": "Maar, Dora"}
    roster.write_text('Student,ID,SIS Login ID\n"Countess, Ada<script>go()</script>",4321,ada\nBen van Dyke,,ben\n')
    assert main(["grade", "submitted"]) == 0
    with Gradebook(f"sqlite:///{graded}/grades/gradebook.db") as gradebook:
        assert gradebook.find_student("ada").lms_user_id == "4321"  # by which exports know her too
    ada = "Countess, Ada‹script›go()‹/script›"  # formgrader writes names into its pages as they are
    assert people(graded) == {"ada": ada, "ben": "Dyke, Ben van", "cleo": None, "dora": "Maar, Dora"}


def test_a_folder_made_by_hand_with_the_id_itself_is_that_persons(graded):
    """Whether it is there from the beginning or comes later; nobody is in the gradebook twice."""
    roster = graded / "roster.csv"
    roster.write_text("student_id,first_name,last_name\n\"O'Neil, Jo\",Jo,O'Neil\nO_Neil Jo,Joan,O'Neill\nada,Ada,L\n")
    assert main(["grade", "submitted"]) == 0
    assert people(graded).keys() == {"ada", "ben", "cleo", "O_Neil_Jo"}
    for student in ("O'Neil, Jo", "O_Neil Jo"):
        shutil.copytree(graded / "submitted" / "ada", graded / "submitted" / student)
    assert main(["grade", "submitted"]) == 0
    known = people(graded)
    assert (known["O'Neil, Jo"], known["O_Neil Jo"], len(known)) == ("O'Neil, Jo", "O'Neill, Joan", 5)
    assert main(["grade", "submitted"]) == 0
    assert people(graded) == known


def test_who_is_not_on_the_roster_is_named_with_who_may_be_meant(graded, capsys):
    (graded / "roster.csv").write_text("student_id,first_name\nadda,Ada\nben,Ben\ncleo,Cleo\n")
    (graded / folders.TABLE).write_text(TABLE.replace("ben.", "bem."), encoding="utf-8")
    extended = "more time in class.toml for people who are not on roster.csv: bem (did you mean ben?).\n"
    shutil.copytree(graded / "submitted" / "cleo", graded / "submitted" / "cleo2")  # who left; cleo is not meant
    assert main(["syllabus"]) == 0
    assert capsys.readouterr().err == f"syllabus: {extended}"
    assert main(["grade", "submitted"]) == 0
    shown = capsys.readouterr().err
    assert f"grade: {extended}" in shown
    assert shown.endswith("grade: graded, but not on roster.csv: ada (did you mean adda?), cleo2.\n")
    assert main(["build", "--variant", "x9", "--for", "clio", "--output", "clio"]) == 2
    assert "clio (did you mean cleo?) is not on roster.csv" in capsys.readouterr().err
    assert not (graded / "variants.json").exists()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Name,Mail\nAda,ada@example.org\n", "it has name, mail."),
        ("", "it has nothing."),
        ("ada,Ada,Lovelace\n", "it has ada, ada, lovelace."),
        (
            "student_id,name\nada,Ada Lovelace\nben,Ben\nada,Ada Byron\n",
            "has ada in the rows 2 and 4, for Ada Lovelace and Ada Byron: give each an id of their own",
        ),
    ],
)
def test_a_roster_that_does_not_say_who_is_who_is_refused_by_all_alike(graded, tmp_path, capsys, text, message):
    (graded / "roster.csv").write_text(text)
    (tmp_path / "download").mkdir()
    for line in (["syllabus"], ["grade", "submitted"], ["collect", str(tmp_path / "download")]):
        assert main(line) == 2
        assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    ("again", "message"),
    [("STUDENT ID,First_Name,last name\n", ""), ("first_name,student_id,last_name\n", "another order")],
)
def test_two_lists_pasted_together_are_one_or_refused(graded, capsys, again, message):
    roster = graded / "roster.csv"
    roster.write_text(f"student_id,first_name,last_name\nada,Ada,L\n\n{again}ben,Ben,M\n")
    assert main(["grade", "submitted"]) == (2 if message else 0)
    assert message in capsys.readouterr().err
    assert message or people(graded) == {"ada": "L, Ada", "ben": "M, Ben", "cleo": None}


def people(root):
    """Who is in the gradebook, with the name that formgrader shows."""
    with Gradebook(f"sqlite:///{root}/grades/gradebook.db") as gradebook:
        names = {student.id: (student.last_name, student.first_name) for student in gradebook.students}
    return {student: None if None in name else ", ".join(name) for student, name in names.items()}


def test_from_a_folder_below_commands_are_about_the_class_and_paths_are_meant_from_there(graded, monkeypatch, capsys):
    (graded / "exercises" / "mine").mkdir()
    monkeypatch.chdir(graded / "exercises" / "mine")
    assert main(["export", "--to", "csv", "--file", "mine.csv"]) == 0
    assert (graded / "exercises" / "mine" / "mine.csv").is_file()
    assert capsys.readouterr().err.startswith(f"export: in the class {graded}.\n")
    monkeypatch.chdir(graded / "exercises" / "mine")
    assert main(["grade", "../../submitted"]) == 0
    assert [path.name for path in (graded / "exercises" / "mine").iterdir()] == ["mine.csv"]
    assert "3 submissions, 0 judged now" in capsys.readouterr().out


def test_where_there_is_neither_a_class_nor_a_checkout_nothing_is_written(tmp_path, monkeypatch, capsys):
    shipped = tmp_path / "site-packages" / "autograder" / "course"
    shutil.copytree(ROOT / "solutions", shipped / "solutions")
    before = sorted(shipped.rglob("*"))
    monkeypatch.setattr(folders, "COURSE", shipped)
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")
    for line in (["build"], ["grade", "submitted"], ["report"], ["collect", "x.zip"], ["regrade"], ["syllabus"]):
        assert main(line) == 2
        assert "is no class: it has no class.toml" in capsys.readouterr().err
    assert sorted(shipped.rglob("*")) == before
    assert list((tmp_path / "empty").iterdir()) == []
