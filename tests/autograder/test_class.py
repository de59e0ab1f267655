"""A class is a folder beside the package: its own exercises, its grades, and what an upgrade changes."""

import csv
import importlib
import io
import json
import re
import shutil
import zipfile

import pytest
import torch
from autumn import FILES, OWN, TABLE, scores
from small_course import ROOT

from autograder import folders
from autograder.__main__ import main
from autograder.assignments import build
from autograder.assignments.assignment import load
from autograder.assignments.wheel import requirement, shared_tasks
from autograder.class_table import read
from autograder.settings import configured
from autograder.store import versions


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
    assert 'check(\\"centred\\", centred)' in release
    assert [word for word in ("keepdim", "Model answer", "hidden=True") if word in release] == []
    assert load(autumn, OWN).check_modules == ("autograder.tasks.centring",)
    assert load(autumn, OWN).checks == {"centred_visible": 1.0, "centred_hidden": 1.0}


def test_the_exercise_that_the_page_shows_tells_right_from_wrong_and_has_a_variant(autumn):
    assert [*FILES] == ["tasks/centring.py", f"solutions/{OWN}.py"]
    text = build.sources(autumn, key="autumn")[OWN]
    assert "have 0 as its largest score" in text
    assert "scores.amax(" in text
    tasks = importlib.import_module("autograder.tasks.centring")
    tasks.check("centred", tasks.centred)
    tasks.check("centred", tasks.centred, hidden=True)
    with pytest.raises(AssertionError, match="the mean runs over the batch"):
        tasks.check("centred", lambda scores: scores - scores.mean(0))
    with pytest.raises(AssertionError):
        tasks.check("centred", lambda scores: torch.zeros_like(scores), hidden=True)
    assert tasks.check.tasks["centred"].of("largest").definition.compiled()(torch.tensor([[1.0, 3.0]])).max() == 0


def keep_to_oneself(root):
    """The author does not share the reference."""
    script = root / "solutions" / f"{OWN}.py"
    script.write_text(script.read_text(encoding="utf-8").replace("#     shared: true\n", ""), encoding="utf-8")


def test_a_reference_stays_with_the_instructor_unless_its_author_shares_it(autumn):
    assert shared_tasks(autumn) == [autumn / "tasks" / "centring.py"]
    keep_to_oneself(autumn)
    assert shared_tasks(autumn) == []
    assert main(["build"]) == 0
    release = (autumn / "exercises" / OWN / f"{OWN}.ipynb").read_text(encoding="utf-8")
    assert 'check(\\"centred\\"' not in release
    assert release.count("runs when your work is graded") == 1
    assert sorted(load(autumn, OWN).checks.values()) == [1, 1]


@pytest.mark.long("packages")
@pytest.mark.parametrize("is_shared", [True, False])
def test_the_package_holds_the_whole_task_or_nothing_of_it_as_its_author_says(autumn, is_shared):
    if not is_shared:
        keep_to_oneself(autumn)
    assert main(["build"]) == 0
    assert main(["wheel"]) == 0
    (path,) = (autumn / "build" / "wheel").glob("*.whl")
    with zipfile.ZipFile(path) as wheel:
        names = wheel.namelist()
        texts = "".join(wheel.read(name).decode() for name in names if name.endswith((".py", ".ipynb")))
    assert f"learn/exercises/{OWN}.ipynb" in names
    assert ("autograder/tasks/centring.py" in names) is is_shared
    assert ("scores.mean(dim=-1, keepdim=True)" in texts) is is_shared
    assert not re.search(r'hidden\("a batch of one', texts)


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


def test_lateness_costs_what_the_table_says_and_an_extension_is_one_learners(graded_autumn, capsys):
    full, _ = scores(graded_autumn)["ben"]
    assert scores(graded_autumn) == {"ada": (full, pytest.approx(0.3 * full)), "ben": (full, 0.0), "cleo": (0.0, 0.0)}
    assert configured(graded_autumn, graded_autumn / "grades").Course.time_zone == "Europe/Berlin"
    table = TABLE.replace("ben.", "ada.").replace("late = 10", "late = 100")
    table = table.replace("weight = 3}", "weight = 3, due = 2026-12-20 12:00:00}")
    (graded_autumn / folders.TABLE).write_text(table)
    assert main(["syllabus"]) == 0
    shown = capsys.readouterr().out
    assert "ada has more time: 17_centring 2026-11-27 12:00" in shown
    assert "costs 100 per cent" in shown
    assert "grades/gradebook.db: 17_centring; once graded: 05_scorers\n" in shown
    page = (graded_autumn / "syllabus.md").read_text(encoding="utf-8")
    assert f"| {OWN} | 2026-11-20 12:00 | 1 | Centred scores |" in page
    assert "ada" not in page
    assert main(["grade", "submitted"]) == 0
    assert scores(graded_autumn) == {"ada": (full, 0.0), "ben": (full, full), "cleo": (0.0, 0.0)}


def test_the_class_itself_is_no_folder_of_submissions(graded_autumn, capsys):
    for folder, place in {".": "submitted", str(graded_autumn.parent): str(graded_autumn / "submitted")}.items():
        assert main(["grade", folder]) == 2
        assert capsys.readouterr().err.endswith(f"such as `grade {place}`.\n")


def test_totals_are_those_of_what_was_graded(graded_autumn, capsys):
    past = TABLE.replace("2026-11-20", "2000-01-01")
    for table, status in {past: 0, past.replace("weight = 3}", "weight = 3, due = 2000-01-01 12:00:00}"): 1}.items():
        (graded_autumn / folders.TABLE).write_text(table)
        assert main(["export", "--to", "totals"]) == status
        assert "not graded yet, and in no total: 05_scorers" in capsys.readouterr().err
    rows = totals(graded_autumn)
    whole = 50.0  # a person has still to give the other two points
    assert {row["student_id"]: float(row["total"]) for row in rows} == {"ada": 0.7 * whole, "ben": whole, "cleo": 0.0}
    assert {row["counted"] for row in rows} == {OWN}


def totals(root):
    return list(csv.DictReader(io.StringIO((root / "grades" / "exports" / "totals.csv").read_text("utf-8"))))


def test_what_is_not_due_yet_is_in_no_total(graded_autumn, capsys):
    """For the class, though some have handed it in; for one learner who has more time, and has not."""
    (graded_autumn / folders.TABLE).write_text(TABLE.replace("2026-11-2", "9998-11-2"))
    assert main(["export", "--to", "totals"]) == 2
    assert "is due and graded yet" in capsys.readouterr().err
    later = TABLE.replace("2026-11-20", "2000-01-01").replace("weight = 3}", "weight = 3, due = 9998-01-01 12:00:00}")
    (graded_autumn / folders.TABLE).write_text(later.replace("ben.", "dora.").replace("2026-11-27", "9998-01-01"))
    (graded_autumn / "roster.csv").write_text("student_id\ndora\nemil\n")
    assert main(["grade", "submitted"]) == 0
    capsys.readouterr()
    assert main(["export", "--to", "totals"]) == 0
    assert capsys.readouterr().err.splitlines()[1:] == [  # the first: two still to be graded by hand
        "export: not due yet, and in no total: 05_scorers.",
        f"export: dora has more time, and {OWN} is not in their total.",
    ]
    assert {row["student_id"]: (row[OWN], row["counted"]) for row in totals(graded_autumn)[-2:]} == {
        "dora": ("", ""),
        "emil": ("0.0", OWN),
    }


def test_after_an_upgrade_the_next_command_says_what_changed_and_points_stay(graded_autumn, capsys, monkeypatch):
    before = scores(graded_autumn)
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
    assert scores(graded_autumn) == before
    with (graded_autumn / "tasks" / "centring.py").open("a", encoding="utf-8") as file:
        file.write("# a better word\n")
    assert main(["grade", "submitted", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)["judged_again"]
    assert [work["why"] for work in again] == 3 * [["different tasks", "different checks in tasks/centring.py"]]
    assert main(["report"]) == 0
    assert capsys.readouterr().err == ""


def test_work_that_was_handed_in_anew_is_no_change_of_ours(graded_autumn, capsys, monkeypatch):
    notebook = graded_autumn / "submitted" / "cleo" / OWN / f"{OWN}.ipynb"
    shutil.copyfile(graded_autumn / "build" / "source" / OWN / f"{OWN}.ipynb", notebook)
    assert main(["grade", "submitted"]) == 0
    assert "Since they were graded before" not in capsys.readouterr().out


def test_from_a_folder_below_commands_are_about_the_class_and_paths_are_meant_from_there(
    graded_autumn, monkeypatch, capsys
):
    (graded_autumn / "exercises" / "mine").mkdir()
    monkeypatch.chdir(graded_autumn / "exercises" / "mine")
    assert main(["export", "--to", "csv", "--file", "mine.csv"]) == 0
    assert (graded_autumn / "exercises" / "mine" / "mine.csv").is_file()
    assert capsys.readouterr().err.startswith(f"export: in the class {graded_autumn}.\n")
    monkeypatch.chdir(graded_autumn / "exercises" / "mine")
    assert main(["grade", "../../submitted"]) == 0
    assert [path.name for path in (graded_autumn / "exercises" / "mine").iterdir()] == ["mine.csv"]
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
