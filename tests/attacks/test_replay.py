"""What hostile and broken submissions get, and that nobody else notices them."""

import json
import re
import time

import psutil
import pytest
from attacks import catalogue, notebooks
from attacks.notebooks import NAME
from attacks.replay import CANARY, SEED, Replay
from bs4 import BeautifulSoup

from tests.gradebooks import dump

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(3600)]

STUDENTS = catalogue.students()
BREAKS = str.maketrans("\n\t", "  ")
SECRETS = (
    CANARY,
    "CANARY-",  # whatever an attack prints when it has got where it wanted to
    str(SEED),
    "SQLite format 3",
    "root:x:0:0",
    "check_masked_softmax_hidden",
    "Attention: mask the scores, normalise them",
)


def test_there_are_attacks_of_every_class():
    names = [attack.name for group in catalogue.attacks().values() for attack in group]
    assert len(names) >= 200
    assert len(set(names)) == len(names)
    assert all(len(group) >= 4 for group in catalogue.attacks().values())


def faults(replay: Replay, student: str) -> list[str]:
    """What is wrong with an attack's verdict, with what it shows and with its feedback page."""
    attack, verdict = STUDENTS[student], replay.graded[student].verdict
    messages = [*verdict.notes, *(check.message for check in verdict.checks)]
    shown = json.dumps([result.outputs for result in verdict.cells], ensure_ascii=False) + " ".join(messages)
    page = replay.output / "feedback" / student / NAME / f"{NAME}.html"
    wrong = [f"shows {secret}" for secret in SECRETS if secret in shown]
    if (verdict.points, verdict.status in attack.ends) != (attack.deserves, True):
        checks = [f"{check.cell}: {check.points:g}, {check.message[:200]}" for check in verdict.checks]
        wrong.append(f"{verdict.points:g} points of {attack.deserves:g}, {verdict.status}: {verdict.notes} {checks}")
    if len(verdict.to_json()) >= 12 * 2**20:
        wrong.append("a verdict that is not small")
    if page.stat().st_size >= 16 * 2**20:
        wrong.append("a page that is not small")
    wrong += [f"not to be printed: {text!r}" for text in messages if not text.translate(BREAKS).isprintable()]
    wrong += [f"not for learners: {text!r}" for text in messages if re.search("protocol|wire|answer process", text)]
    wrong += [f"alive on the page: {tag}" for tag in alive(BeautifulSoup(page.read_bytes(), "html.parser"))]
    return [f"{attack.name}: {fault}" for fault in wrong]


def alive(soup: BeautifulSoup) -> list[str]:
    tags = [tag.name for tag in soup.find_all(("script", "style", "iframe", "object", "embed")) if "1337" in str(tag)]
    tags += [tag.name for tag in soup.find_all(("base", "form", "meta", "svg")) if "1337" in str(tag.attrs)]
    for tag in soup.find_all(True):
        values = {name: "".join(str(value).split()).lower() for name, value in tag.attrs.items()}
        evil = ((n, v) for n, v in values.items() if n[:2] == "on" or "javascript:" in v or v.startswith("data:text"))
        tags += [f"{tag.name} {name}={value[:60]}" for name, value in evil]
    return tags


CLASSES = {kind: catalogue.attackers(kind) for kind in catalogue.attacks()}
FEW = [student for attackers in CLASSES.values() for student in attackers[: catalogue.FEW]]


@pytest.mark.parametrize(
    "attackers",
    [
        pytest.param(FEW, id="some of every class"),
        *(pytest.param(CLASSES[kind], id=kind, marks=pytest.mark.long("every attack")) for kind in CLASSES),
    ],
)
def test_an_attack_gets_what_it_deserves_and_nothing_else(replay, attackers):
    assert [fault for student in attackers for fault in faults(replay, student)] == []


def test_every_honest_student_is_graded_as_if_alone(replay):
    honest = {student: work.verdict for student, work in replay.graded.items() if STUDENTS[student] is None}
    assert len(honest) >= 2
    for student, verdict in honest.items():
        assert (verdict.status, verdict.points, verdict.notes) == ("ok", 20.0, []), student
        assert [check for check in verdict.checks if check.message] == [], student


def test_the_gradebook_says_what_the_verdicts_say(replay):
    book = dump(replay.output / "gradebook.db")
    scores = {name.partition("/")[2]: entry["score"] for name, entry in book.items() if "/" in name}
    assert scores == {student: work.verdict.points for student, work in replay.graded.items()}


def test_nothing_outside_the_output_has_changed(replay):
    assert replay.after == replay.before


def test_no_process_survives(replay):
    deadline = time.monotonic() + 60
    while (left := survivors(replay)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []


def survivors(replay: Replay) -> list[str]:
    """Processes that an attack gave its name, and boxes of the run that whoever started them left behind."""
    processes = []
    for process in psutil.process_iter(["name", "ppid", "cmdline"]):
        name, line = process.info["name"], " ".join(process.info["cmdline"] or ())
        is_orphan = name == "bwrap" and process.info["ppid"] <= 1 and str(replay.place) in line
        if name == replay.words["attack-daemon"] or is_orphan:
            processes.append(f"{process.pid} {name}")
    return processes


def test_what_an_attack_looks_for_on_the_machine_bears_a_name_of_this_run(replay):
    attacks = [attack for group in catalogue.attacks().values() for attack in group]
    for word, name in replay.words.items():
        texts = [notebooks.source(attack, replay.words) for attack in attacks if word in attack.source]
        assert texts
        assert all(name in text for text in texts)
