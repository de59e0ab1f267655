"""Progress below each check: read from the notebook, told in a line or as HTML, and no part of a graded run."""

import json
import os
import subprocess
import sys

import pytest
from IPython.core.interactiveshell import InteractiveShell
from small_course import ROOT

from autograder import finding
from autograder.progress import kernel_hook
from autograder.progress.overview import Progress
from autograder.progress.tasks import TaskCell, Tasks, read

RELEASE = ROOT / "exercises" / "01_batches" / "01_batches.ipynb"
TASKS = Tasks((TaskCell("Task 1: <pad>", ("check_pad",), 1), TaskCell("Task 2: mask", ("check_mask",), 2.5)), 3.5, 2)
IMPORT = "from autograder.tasks.batches import check\nfrom seq2seq.batch import length_mask\n"


def test_tasks_are_read_from_the_release_with_titles_and_points_and_what_is_no_exercise_has_none(tmp_path):
    for path in sorted((ROOT / "exercises").glob("*/*.ipynb")):
        tasks = read(path)
        cells = json.loads(path.read_text())["cells"]
        graded = [cell["metadata"]["nbgrader"] for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade")]
        every = Progress.of(tasks, {}).max_points + tasks.hidden + tasks.in_words
        assert every == sum(settings["points"] for settings in graded), path
        titles = [task.title for task in tasks.tasks]
        assert all(titles), path
        assert len(set(titles)) == len(titles), path
    tasks = read(RELEASE)
    assert tasks.tasks[2] == TaskCell("Task 3: a batch of pairs", ("check_collated",), 1, "collated_visible")
    assert (len(tasks.tasks), Progress.of(tasks, {}).max_points, tasks.hidden, tasks.in_words) == (5, 5, 7, 2)
    path = tmp_path / "strange.ipynb"
    for text in ("", "[]", '{"cells": 3}', '{"cells": [{}]}', '{"cells": []}'):
        path.write_text(text)
        assert read(path) is None, text
    assert read(tmp_path / "missing.ipynb") is None


def test_a_line_tells_what_is_done_and_what_is_next_and_the_page_in_words_with_titles_escaped():
    assert Progress.of(TASKS, {}).text() == "Progress: 0 of 2 tasks done, 0 of 3.5 points. Next: Task 1: <pad>."
    half = Progress.of(TASKS, {"check_pad": True, "check_mask": False, "check_pad_hidden": False})
    assert half.text() == "Progress: 1 of 2 tasks done, 1 of 3.5 points. Next: Task 2: mask (not right yet)."
    assert Progress.of(TASKS, {"check_pad": True, "check_mask": True}).text() == (
        "Progress: 2 of 2 tasks done, 3.5 of 3.5 points. All checks that you can run have passed. When your work is "
        "graded, hidden checks give up to 3.5 and answers in words give up to 2 points more."
    )
    html = Progress.of(TASKS, {"check_pad": True, "check_mask": False}).html()
    states = "Task 1: &lt;pad&gt;: done, 1 of 1", "Task 2: mask: not right yet, 0 of 2.5"
    assert [words for words in (*states, 'aria-valuenow="1"', "<summary") if words not in html] == []


@pytest.fixture
def shell(monkeypatch, tmp_path):
    """IPython in a folder that holds one released notebook."""
    shell = InteractiveShell.instance(colors="nocolor")
    monkeypatch.setattr(finding, "listeners", [])
    monkeypatch.delenv(kernel_hook.LAB, raising=False)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.ipynb").write_text(RELEASE.read_text())
    kernel_hook.follow()
    kernel_hook.follow()
    yield shell
    (listener,) = finding.listeners
    shell.events.unregister("post_run_cell", listener.show)
    InteractiveShell.clear_instance()


def test_in_a_shell_a_line_stands_below_each_check_that_passed_or_failed_and_nowhere_else(shell, capsys):
    shell.run_cell(IMPORT + "check('length_mask', length_mask)")
    first, second = capsys.readouterr().out.strip().splitlines()
    assert first.startswith("✓ length mask")
    assert second.startswith("Progress: 1 of 5 tasks done")
    shell.run_cell("1 + 1; check('length_mask', length_mask, hidden=True)")
    assert "Progress" not in capsys.readouterr().out
    shell.run_cell("check('length_mask', lambda lengths, longest: None)")
    *_, result, line = capsys.readouterr().out.strip().splitlines()
    assert result.startswith("✗ mask")
    assert line.startswith("Progress: 0 of 5 tasks done")


def test_in_a_notebook_it_stands_below_the_last_check_alone(shell, monkeypatch, tmp_path):
    monkeypatch.setattr(type(shell), "kernel", None, raising=False)
    monkeypatch.setenv(kernel_hook.LAB, str(tmp_path / "mine.ipynb"))
    bundles = []
    monkeypatch.setattr(shell.display_pub, "publish", lambda *given, **options: bundles.append((given[0], options)))
    shell.run_cell(IMPORT + "check('length_mask', length_mask)")
    shell.run_cell("check('length_mask', lambda lengths, longest: None)")
    kinds = [{"text/html", "text/plain"}, {"text/plain"}, {"text/html", "text/plain"}]
    assert [set(bundle) for bundle, _ in bundles] == kinds
    assert bundles[1][0]["text/plain"] == ""
    places = [(options["transient"]["display_id"], options["update"]) for _, options in bundles]
    assert places[1] == (places[0][0], True)
    assert places[2] != places[0]
    assert bundles[0][0]["text/plain"].startswith("Progress: 1 of 5 tasks done")
    assert bundles[2][0]["text/plain"].startswith("Progress: 0 of 5 tasks done")
    assert "0 of 5 tasks done" in bundles[2][0]["text/html"]


def test_on_colab_the_released_notebook_tells_the_tasks(shell, capsys, tmp_path, monkeypatch):
    (tmp_path / "mine.ipynb").unlink()
    shell.run_cell(IMPORT + "check('length_mask', length_mask)")
    assert "Progress" not in capsys.readouterr().out
    monkeypatch.setenv("COLAB_RELEASE_TAG", "release-colab")
    shell.run_cell("check('length_mask', length_mask)")
    assert "Progress: 1 of 5 tasks done" in capsys.readouterr().out


def test_without_ipython_nobody_listens():
    code = (
        "import sys\nfrom autograder.tasks.batches import check\n"
        "from autograder import finding\nfrom seq2seq.batch import length_mask\n"
        "check('length_mask', length_mask)\n"
        "assert not finding.listeners\nassert 'ipywidgets' not in sys.modules and 'IPython' not in sys.modules\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), kernel_hook.LAB: "01_batches.ipynb"}
    line = [sys.executable, "-c", code]
    run = subprocess.run(line, cwd=RELEASE.parent, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert run.stdout.count("\n") == 1
