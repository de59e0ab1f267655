"""The workflow files that check a learner's repository at each push: valid, and their steps do what they are for."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from bare import ROOT, made, solved
from servers import served

from autograder.__main__ import main
from autograder.assignments.wheel import build_wheel
from autograder.assignments.workflow import GITHUB, GITLAB, workflows

NAME, OTHER = "01_batches", "04_lookup"
SCHEMAS = {GITHUB: "vendor.github-workflows", GITLAB: "vendor.gitlab-ci"}


@pytest.mark.parametrize("path", SCHEMAS)
def test_the_files_are_valid_by_the_published_schema(path, tmp_path, capsys):
    assert main(["workflow", str(tmp_path), "--root", str(ROOT)]) == 0
    assert capsys.readouterr().out.splitlines() == [str(tmp_path / GITHUB), str(tmp_path / GITLAB)]
    line = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", SCHEMAS[path], str(tmp_path / path)]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    text = (tmp_path / path).read_text()
    (tmp_path / path).write_text(text.replace("check:", "check: 7\nother:", 1))
    assert subprocess.run(line, capture_output=True).returncode == 1, "the schema refuses nothing"


def test_a_file_that_is_there_is_kept_unless_it_is_to_be_replaced(tmp_path, capsys):
    (tmp_path / GITLAB).write_text("mine")
    line = ["workflow", str(tmp_path), "--root", str(ROOT)]
    assert main(line) == 1
    assert f"{tmp_path / GITLAB} is another file, and was kept" in capsys.readouterr().err
    assert (tmp_path / GITLAB).read_text() == "mine"
    assert main([*line, "--replace"]) == 0
    assert main(line) == 0
    assert (tmp_path / GITLAB).read_text() == workflows(ROOT)[GITLAB]


def steps(path: Path) -> dict[Path, list[str]]:
    """The commands of each file, as the two services read them."""
    github, gitlab = (yaml.load((path / name).read_text(), Loader=yaml.BaseLoader) for name in (GITHUB, GITLAB))
    assert github["on"] == ["push"]
    return {
        GITHUB: [step["run"] for step in github["jobs"]["check"]["steps"] if "run" in step],
        GITLAB: gitlab["check"]["script"],
    }


@pytest.mark.long("packages")
def test_the_steps_install_the_package_and_say_what_the_visible_checks_say(tmp_path, monkeypatch):
    published, repository = tmp_path / "book", tmp_path / "repository"
    wheel = build_wheel(ROOT, published)
    with served(published) as address:
        course = tmp_path / "course"
        course.mkdir()
        (course / "pyproject.toml").write_text((ROOT / "pyproject.toml").read_text())
        (course / "_config.yml").write_text(f"package: learning-to-align\nhtml:\n  baseurl: {address}\n")
        assert main(["workflow", str(repository), "--root", str(course)]) == 0
        machine = made(tmp_path / "env", wheel)
        install, check = steps(repository)[GITHUB]
        assert steps(repository)[GITLAB] == [install, check]
        path = os.pathsep.join([str(machine.folder / "bin"), os.environ["PATH"]])
        hidden = ("PYTHONPATH", "PIP_CONSTRAINT", "MPLBACKEND")
        environment = {name: value for name, value in os.environ.items() if name not in hidden} | {"PATH": path}
        environment |= {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1"}  # they are there already

        def step(line):
            return subprocess.run(
                ["bash", "-e", "-c", line], cwd=repository, env=environment, capture_output=True, text=True
            )

        assert step(install).returncode == 0
    (repository / NAME).mkdir()
    (repository / NAME / f"{NAME}.ipynb").write_text(json.dumps(solved(NAME)))
    (repository / f"{OTHER}.ipynb").write_text(json.dumps(solved(OTHER, tasks=set())))  # not begun
    done = step(check)
    assert done.returncode == 0, done.stdout + done.stderr
    (entry,) = json.loads((repository / "results.json").read_text())["exercises"]
    assert (entry["exercise"], entry["points"]) == (NAME, entry["max_points"])
    assert {task["state"] for task in entry["tasks"]} == {"done"}
    wrong = solved(OTHER, tasks={"look_up"})
    (repository / f"{OTHER}.ipynb").write_text(json.dumps(wrong))
    assert step(check).returncode == 1
    entries = json.loads((repository / "results.json").read_text())["exercises"]
    assert [entry["exercise"] for entry in entries] == [NAME, OTHER]
    assert {task["state"] for task in entries[1]["tasks"]} > {"to do"}
