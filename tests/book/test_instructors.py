"""The instructors' page says what the grader does: its commands, options, statuses, and an exercise that works."""

import argparse
import re
import sys
from types import ModuleType

import pytest
import torch
from prose import BOOK, ROOT, lines

from autograder.__main__ import COMMANDS, parser
from autograder.authoring import build
from autograder.authoring.assignment import load
from autograder.gradebook.summary import SAID

PATH = BOOK / "instructors.md"
PAGE = PATH.read_text(encoding="utf-8")
COMMAND = re.compile(r"python -m autograder (\w+)([^#\n]*)")
BLOCK = re.compile(r"^(?P<said>[^\n]*`(?P<path>[\w/]+\.py)`[^\n]*)\n\n```python\n(?P<code>.*?)^```$", re.M | re.S)


def options(command: str) -> set[str]:
    [choices] = [one for one in parser()._actions if isinstance(one, argparse._SubParsersAction)]
    return {name for action in choices.choices[command]._actions for name in action.option_strings}


def test_every_command_has_a_row() -> None:
    names = [command.__name__.rpartition(".")[2] for command in COMMANDS]
    rows = re.findall(r"^\| `(\w+)[^`]*` \| .*? \| \d", PAGE, re.MULTILINE)
    assert sorted(rows) == sorted(names)


def test_every_option_that_is_written_exists() -> None:
    used = COMMAND.findall(PAGE)
    assert len(used) > 15
    for command, rest in used:
        assert set(re.findall(r"--[\w-]+", rest)) <= options(command), f"{command}{rest}"


def test_every_status_is_explained() -> None:
    table = PAGE.split(":name: tab-instructors-status")[1].split(":::")[0]
    assert set(re.findall(r"`(\w+)`", table)) == set(SAID)


def test_every_file_that_is_named_is_there() -> None:
    kept = ("seq2seq", "solutions", "autograder", "containers", "tests", "sample_class", "exercises", "nbgrader_config")
    paths = {path for path in re.findall(r"`([\w./-]+)`", PAGE) if path.startswith(kept) and "centring" not in path}
    assert len(paths) >= 5
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_the_settings_that_are_named_are_in_the_configuration() -> None:
    config = (ROOT / "_config.yml").read_text(encoding="utf-8")
    for name in ("baseurl", "html_theme_options", "repository_url", "repository_branch", "launch_buttons"):
        assert f"{name}`" in PAGE
        assert f"{name}:" in config


def test_no_sentence_stands_on_another_page_too() -> None:
    own = {line.text.strip() for line in lines(PATH)}
    readme = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    containers = (ROOT / "containers" / "README.md").read_text(encoding="utf-8").splitlines()
    chapters = [
        line for name in ("index", "00_start") for line in (BOOK / f"{name}.md").read_text("utf-8").splitlines()
    ]
    others = {line.strip() for line in [*readme, *containers, *chapters] if len(line.split()) > 4}
    assert own & others == set()


@pytest.fixture
def own_exercise(tmp_path, monkeypatch):
    """The three files of the example, in a course of their own; its check and the reference, as modules."""
    files = {match["path"]: match["code"] for match in BLOCK.finditer(PAGE)}
    library, checks, script = ("seq2seq/centring.py", "autograder/checks/centring.py", "solutions/17_centring.py")
    assert set(files) == {library, checks, script}
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    modules = []
    for path in (library, checks):
        module = ModuleType(path.removesuffix(".py").replace("/", "."))
        monkeypatch.setitem(sys.modules, module.__name__, module)
        exec(files[path], module.__dict__)
        modules.append(module)
    return tmp_path, *modules


def test_the_exercise_that_is_shown_can_be_built(own_exercise) -> None:
    root = own_exercise[0]
    build.build(root)
    assignment = load(root, "17_centring")
    assert assignment.checks == {"centred_visible": 1.0, "centred_hidden": 1.0}
    released = (root / "exercises" / "17_centring" / "17_centring.ipynb").read_text(encoding="utf-8")
    assert "def centred" in released
    assert "keepdim" not in released
    assert "Model answer" not in released
    assert "check_centred_hidden" not in released


def test_its_check_tells_right_from_wrong(own_exercise, capsys) -> None:
    _, library, checks = own_exercise
    checks.check_centred(library.centred)
    checks.check_centred_hidden(library.centred)
    with pytest.raises(AssertionError, match="the mean runs over the batch"):
        checks.check_centred(lambda scores: scores - scores.mean(0))
    with pytest.raises(AssertionError):
        checks.check_centred_hidden(lambda scores: torch.zeros_like(scores))
