"""The instructors' page says what the grader does: its commands, options and statuses."""

import argparse
import re

from course.exercises import every

from autograder.__main__ import parser
from autograder.gradebook.summary import RESULTS
from book.prose import BOOK, ROOT, Reading, lines

PATH = BOOK / "instructors.md"
PAGE = PATH.read_text(encoding="utf-8")
COMMAND = re.compile(r"python -m autograder ([\w-]+)([^#\n`]*)")


def commands() -> dict[str, argparse.ArgumentParser]:
    [choices] = [action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return choices.choices


def options(command: str) -> set[str]:
    return {name for action in commands()[command]._actions for name in action.option_strings}


def test_every_command_has_a_row_and_every_option_that_is_written_exists() -> None:
    rows = re.findall(r"^\| `([\w-]+)[^`]*` \| .*? \| \d", PAGE, re.MULTILINE)
    assert sorted(rows) == sorted(commands())
    used = COMMAND.findall(PAGE)
    assert len(used) > 15
    for command, rest in used:
        assert set(re.findall(r"--[\w-]+", rest)) <= options(command), f"{command}{rest}"


def test_the_plans_have_the_minutes_and_points_that_exercises_have() -> None:
    plans = PAGE.split("### One lecture")[1].split("### What is graded")[0]
    known = {exercise.number: (exercise.minutes, exercise.points) for exercise in every(ROOT).values()}
    asked = re.findall(r"exercise (\d+): (\d+) min, (\d+) points", plans)
    assert [known[int(number)] for number, *_ in asked] == [(int(time), int(points)) for _, time, points in asked]
    assert {int(number) for number, *_ in asked} == set(known)


def test_the_page_is_short_enough_to_be_read_before_monday() -> None:
    assert Reading(PATH).words <= 3000


def test_what_is_tried_on_the_sample_class_stays_out_of_the_class_of_ones_own() -> None:
    tried = [line for line in PAGE.splitlines() if "grade sample_class" in line]
    assert tried
    assert all("--output build/" in line for line in tried)


def test_statuses_files_and_settings_that_are_named_are_there() -> None:
    table = PAGE.split(":name: tab-instructors-status")[1].split(":::")[0]
    assert set(re.findall(r"`(\w+)`", table)) == set(RESULTS)
    roots = "seq2seq|solutions|autograder|containers|tests|sample_class|exercises|nbgrader_config"
    paths = {path for path in re.findall(rf"`((?:{roots})[\w./-]*)`", PAGE) if "centring" not in path}
    assert len(paths) >= 5
    assert [path for path in paths if not (ROOT / path).exists()] == []
    config = (ROOT / "_config.yml").read_text(encoding="utf-8")
    for name in ("baseurl", "html_theme_options", "repository_url", "repository_branch", "launch_buttons"):
        assert f"{name}`" in PAGE
        assert f"{name}:" in config
    containers = (ROOT / "containers" / "README.md").read_text(encoding="utf-8")
    assert "jupyter lab" in containers
    assert '--user "$(id -u):$(id -g)"' in containers
    assert all(port.startswith("127.0.0.1:") for port in re.findall(r" -p (\d\S*)", containers))


def test_no_sentence_stands_on_another_page_too() -> None:
    sentences = {line.text.strip() for line in lines(PATH)}
    texts = ("README.md", "containers/README.md", "book/index.md", "book/00_start.md")
    others = {line.strip() for text in texts for line in (ROOT / text).read_text(encoding="utf-8").splitlines()}
    assert {line for line in sentences & others if len(line.split()) > 4} == set()
