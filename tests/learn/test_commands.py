"""``learn``: an exercise from its start to its zip, and what is said when something is wrong."""

import json
import re
import shlex
import zipfile
from pathlib import Path
from textwrap import indent
from types import SimpleNamespace

import pytest
from bare import ROOT, solved

from learn import doctor, record, running, start
from learn.__main__ import main
from learn.exercises import UnknownExercise, copies, exercises, find
from learn.results import digest
from learn.troubles import TROUBLES, recognised

NAME = "01_batches"
WRONG = "def length_mask(lengths, longest):\n    return torch.arange(longest) >= lengths.unsqueeze(1)\n"


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    return tmp_path


def written(notebook, name=NAME):
    Path(f"{name}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def changed(notebook, cell_id, source):
    for cell in notebook["cells"]:
        if cell["id"] == cell_id:
            cell["source"] = source
    return notebook


def quick():
    """The solved notebook, whose checks are not run and no cell of which does anything."""
    notebook = solved(NAME)
    for cell in [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]:
        source = "".join(cell["source"])
        cell["source"] = "if False:\n" + indent(source, "    ") if "check(" in source else "pass"
    return notebook


def run(capsys, *arguments, status=0):
    """What ``learn`` prints: out, err."""
    assert main([*arguments]) == status
    return capsys.readouterr()


def test_an_exercise_has_several_names():
    for asked in ("5", "05", "05_scorers", "scorers", "05_scorers.ipynb", "SCORERS"):
        assert (find(asked).name, find(asked).title) == ("05_scorers", "Score functions"), asked
    for asked in ("99", "", "nothing", "b"):
        with pytest.raises(UnknownExercise, match="16_capstone"):
            find(asked)


def test_start_lists_and_copies_and_never_overwrites(capsys, folder):
    assert "learn start 01" in run(capsys, "progress").out
    assert run(capsys, "start").out.count("\n") == len(exercises()) == 16
    assert "Copied to" in run(capsys, "start", "1", "--in", "none").out
    (folder / f"{NAME}.ipynb").write_text("mine")
    assert "Your copy is still here" in run(capsys, "start", "1", "--in", "none").out
    assert (folder / f"{NAME}.ipynb").read_text() == "mine"


def test_results_are_shown_where_nothing_can_be_kept_and_no_notebook_runs_for_a_file_that_cannot_be_written(
    capsys, folder, monkeypatch
):
    written(quick())
    (folder / "learn-progress.new").mkdir()
    shown = run(capsys, "check", "1")
    assert "5 of 5 tasks done" in shown.out
    assert "not kept for `learn progress`" in shown.err
    assert shown.err.endswith("learn-progress.new\n")
    monkeypatch.setattr("learn.__main__.run", pytest.fail)
    assert "Is a directory" in run(capsys, "check", "1", "--results", ".", status=1).err


def test_start_opens_it_with_what_is_there(monkeypatch, folder, capsys):
    started = []
    done = SimpleNamespace(returncode=0)
    monkeypatch.setattr(start.subprocess, "run", lambda line: started.append(line) or done)
    monkeypatch.delenv("TERM_PROGRAM", raising=False)
    run(capsys, "start", "1")
    assert started[0][1:] == ["-m", "jupyterlab", str(folder / f"{NAME}.ipynb")]
    monkeypatch.setenv("TERM_PROGRAM", "vscode")
    monkeypatch.setattr(start.shutil, "which", lambda name: f"/usr/bin/{name}")
    run(capsys, "start", "1")
    assert started[1] == ["/usr/bin/code", str(folder / f"{NAME}.ipynb")]
    monkeypatch.setattr(start.shutil, "which", lambda name: None)
    assert "Install 'code' command" in run(capsys, "start", "1", "--in", "code", status=1).err
    monkeypatch.setattr(start, "_installed", lambda module: False)
    assert "pip install jupyterlab" in run(capsys, "start", "1", "--in", "lab", status=1).err
    assert "upload it to Colab" in run(capsys, "start", "1").out


def test_progress_uses_the_last_check_until_the_notebook_changes(capsys, folder):
    written(solved(NAME))
    run(capsys, "check", f"{NAME}.ipynb")
    text = run(capsys, "progress", "--page", "progress.html").out
    assert "Batches of sentences: 5 of 5 tasks done, 5 of 5 points. All that you can check is done" in text
    assert "Not begun yet: Encoder and decoder and later ones." in text
    page = (folder / "progress.html").read_text(encoding="utf-8")
    assert "1 of 16 exercises done, 1 begun, 5 of 5 points in these" in page
    assert "<script" not in page
    assert "http" not in page
    written(changed(solved(NAME), "length_mask", WRONG))
    assert "0 of 5 tasks done" in run(capsys, "progress").out


def test_progress_reads_outputs_where_no_check_was_run(capsys):
    notebook = solved(NAME)
    for cell in notebook["cells"]:
        if cell["id"] == "vocabulary_visible":
            cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["✓ vocabulary\n"]}]
        if cell["id"] == "length_mask_visible":
            cell["outputs"] = [{"output_type": "error", "ename": "CheckFailed", "evalue": "", "traceback": []}]
    written(notebook)
    assert "1 of 5 tasks done, 1 of 5 points. Next: Task 2: the mask." in run(capsys, "progress").out


def test_a_damaged_record_is_begun_anew_and_a_copy_that_the_browser_renamed_is_found(folder, capsys):
    written(quick())
    for damage in ("", "[]", "{", '{"3": 4}'):
        (folder / record.FILE).write_text(damage)
        run(capsys, "progress")
        run(capsys, "check", "1")
        assert set(json.loads((folder / record.FILE).read_text())) >= {f"{NAME}.ipynb"}
    for entry in (None, 3, ["digest"], {"digest": digest(folder / f"{NAME}.ipynb")}):  # the last of another version
        (folder / record.FILE).write_text(json.dumps({f"{NAME}.ipynb": entry}))
        assert "Batches of sentences: 0 of 5" in run(capsys, "progress").out
    (folder / f"{NAME}.ipynb").unlink()
    written(solved(NAME), f"{NAME} (1)")
    assert "Batches of sentences: 0 of 5" in run(capsys, "progress").out
    written(solved(NAME))
    assert copies(folder) == {NAME: folder / f"{NAME}.ipynb"}


LINES = [
    *("✓ Task 1: the vocabulary: done, 1 of 1", "○ Task 3: a batch of pairs: to do, 0 of 1\n"),
    *("1 of 5 tasks done, 1 of 5 points.", "Next: Task 2: the mask.\n"),
    "hidden checks give up to 7 and answers in words give up to 2 points",
    *("  not right yet: Task 2: the mask\n", "  not written yet: Task 3: a batch of pairs\n"),
    *("  answers in words that are still empty: 1\n", "Nothing was packed. To hand it in as it is: learn submit "),
]


def test_each_task_is_told_and_submit_names_what_is_forgotten_and_packs_nothing(capsys, folder):
    written(changed(solved(NAME, tasks={"vocabulary", "length_mask"}), "length_mask", WRONG), "my work (1)")
    text = run(capsys, "submit", "my work (1).ipynb", status=1).out
    assert [line for line in LINES if line not in text] == []
    assert re.search(r"✗ Task 2: the mask: not right yet, 0 of 1\n    mask.*\n", text)
    assert not list(folder.glob("*.zip"))
    run(capsys, *shlex.split(text.rpartition(": learn ")[2]))
    assert list(folder.glob("*.zip"))


def test_submit_packs_the_notebook_and_the_modules_that_it_imports(capsys, folder):
    notebook = quick()
    notebook["cells"].insert(3, notebook["cells"][2] | {"id": "x", "metadata": {}, "source": "import mine\n%time 1"})
    written(notebook, f"{NAME} (1)")
    for module in ("mine", "other"):
        (folder / f"{module}.py").touch()
    run(capsys, "submit", f"{NAME} (1).ipynb")
    with zipfile.ZipFile(folder / f"{NAME}.zip") as file:
        assert file.namelist() == [f"{NAME}.ipynb", "mine.py"]
        assert {entry.date_time[0] for entry in file.infolist()} == {1980}  # the same files are the same bytes
    assert f"Running {NAME}.ipynb" in run(capsys, "check", f"{NAME}.zip").err
    assert "is packed already: upload it" in run(capsys, "submit", f"{NAME}.zip", status=1).err


@pytest.mark.parametrize("command", ["check", "submit"])
def test_what_is_no_exercise_gets_a_sentence(command, folder, capsys):
    for text in ("", "[]"):
        (folder / "mine.ipynb").write_text(text)
        assert "cannot be read as a notebook" in run(capsys, command, "mine.ipynb", status=1).err
    (folder / "mine.ipynb").write_text('{"cells": []}')
    assert "has no checks: is it one of the course's exercises?" in run(capsys, command, "mine.ipynb", status=1).err
    assert "in which folder did you save it?" in run(capsys, command, "missing.ipynb", status=1).err
    assert "learn start 2" in run(capsys, command, "2", status=1).err


def test_an_endless_loop_an_ended_python_and_an_error_outside_of_the_checks_are_told(folder, capsys):
    endless = "# mine\nimport time\nwhile True:\n    time.sleep(1)"
    written(changed(quick(), "length_mask", endless))
    with pytest.raises(running.NotRun, match=r"cell \d+, which begins `# mine`: is there an endless loop"):
        running.run(Path(f"{NAME}.ipynb"), seconds=15)
    written(changed(quick(), "length_mask", "import os\nos._exit(3)"))
    with pytest.raises(running.NotRun, match=r"Python ended \(status 3\) in cell \d+, which begins `import os`"):
        running.run(Path(f"{NAME}.ipynb"))
    written(changed(solved(NAME), "setup", "import seq2seq_of_mine"))
    assert "NameError" in run(capsys, "check", "1", status=1).out


SHOWN = {
    "ModuleNotFoundError: No module named 'seq2seq'": "no-module",
    "error: externally-managed-environment\n× This environment is": "externally-managed",
    "ERROR: Package 'learning-to-align' requires a different Python: 3.9.6 not in '>=3.11'": "old-python",
    "ERROR: No matching distribution found for torch>=2.6": "no-torch",
    "urllib3: NewConnectionError(... Temporary failure in name resolution)": "no-network",
    "ERROR: No matching distribution found for learning-to-align==0.2.0": "no-network",
    "NameError: name 'states' is not defined": "order",
    "NotImplementedError: not written yet": "not-written",
    "Error displaying widget: model not found": "widgets",
    "The kernel appears to have died. It will restart automatically.": "memory",
    "ValueError: something else": None,
}


def test_troubles_are_recognised_by_what_learners_see_and_each_has_a_cure():
    assert {text: getattr(recognised(text), "id", None) for text in SHOWN} == SHOWN
    assert len({trouble.id for trouble in TROUBLES}) == len(TROUBLES) >= 10
    assert all(trouble.title and trouble.why and trouble.cure for trouble in TROUBLES)


def test_the_doctor_names_what_is_missing(monkeypatch, capsys, folder):
    assert "Everything that the exercises need is here." in run(capsys, "doctor").out
    monkeypatch.setattr(doctor, "_version", lambda package: "" if package == "anywidget" else "1.0")
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda path: SimpleNamespace(free=5e8))
    text = run(capsys, "doctor", status=1).out
    assert [words for words in ("✗ anywidget is missing", "✗ 0.5 GB free") if words not in text] == []
    assert text.endswith("2 to mend.\n")
