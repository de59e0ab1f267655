"""What hostile and broken submissions get, and that nobody else notices them."""

import json
import time
from pathlib import Path

import pytest
from attacks import catalogue
from attacks.notebooks import NAME
from attacks.replay import CANARY, SEED
from bs4 import BeautifulSoup

from tests.gradebook_dump import dump

pytestmark = [pytest.mark.sandbox, pytest.mark.timeout(3600)]

STUDENTS = catalogue.students()
ATTACKS = {student: attack for student, attack in STUDENTS.items() if attack is not None}
HONEST = [student for student, attack in STUDENTS.items() if attack is None]
SECRETS = (
    CANARY,
    "CANARY-",  # whatever an attack prints when it has got where it wanted to
    str(SEED),
    "SQLite format 3",
    "root:x:0:0",
    "check_masked_softmax_hidden",
    "Attention: mask the scores, normalise them",
)


def kind(student: str) -> str:
    return student.split("-")[0]


def ids(student: str) -> str:
    return f"{kind(student)}: {ATTACKS[student].name}"


def test_there_are_attacks_of_every_class():
    assert len(ATTACKS) >= 70
    assert all(len(group) >= 5 for group in catalogue.attacks().values())
    names = [attack.name for attack in ATTACKS.values()]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("student", ATTACKS, ids=ids)
def test_an_attack_gets_what_it_deserves(replay, student):
    verdict = replay.graded[student].verdict
    assert (verdict.points, verdict.status in ATTACKS[student].ends) == (ATTACKS[student].deserves, True), (
        verdict.status,
        verdict.notes,
        [f"{check.cell}: {check.points:g}, {check.message[:200]}" for check in verdict.checks],
    )


@pytest.mark.parametrize("student", HONEST)
def test_an_honest_student_is_graded_as_if_alone(replay, student):
    theirs, alone = replay.graded[student].verdict, replay.alone.verdict
    assert (theirs.status, theirs.points, theirs.checks, theirs.notes) == ("ok", 20.0, alone.checks, alone.notes)


def test_the_gradebook_says_what_the_verdicts_say(replay):
    book = dump(replay.output / "gradebook.db")
    scores = {name.partition("/")[2]: entry["score"] for name, entry in book.items() if "/" in name}
    assert scores == {student: one.verdict.points for student, one in replay.graded.items()}


def test_nothing_outside_the_output_has_changed(replay):
    assert replay.after == replay.before


def test_no_process_survives(replay):
    deadline = time.monotonic() + 10
    while (left := survivors()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert left == []


def survivors() -> list[str]:
    """Processes that an attack gave its name, and boxes that whoever started them left behind."""
    found = []
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except OSError:
            continue
        if lines["Name"] == "attack-daemon" or (lines["Name"] == "bwrap" and int(lines["PPid"]) <= 1):
            found.append(f"{status.parent.name} {lines['Name']}")
    return found


@pytest.mark.parametrize("student", ATTACKS, ids=ids)
def test_no_secret_is_in_what_an_attack_shows(replay, student):
    verdict = replay.graded[student].verdict
    said = json.dumps([[result.outputs for result in verdict.cells], verdict.notes], ensure_ascii=False)
    said += " ".join(check.message for check in verdict.checks)
    assert [secret for secret in SECRETS if secret in said] == []


@pytest.mark.parametrize("student", ATTACKS, ids=ids)
def test_no_script_of_a_learner_is_on_the_feedback_page(replay, student):
    page = replay.output / "feedback" / student / NAME / f"{NAME}.html"
    assert page.stat().st_size < 16 * 2**20
    soup = BeautifulSoup(page.read_bytes(), "html.parser")
    alive = [tag.name for tag in soup.find_all(("script", "style", "iframe", "object", "embed")) if "1337" in str(tag)]
    alive += [tag.name for tag in soup.find_all(("base", "form", "meta", "svg")) if "1337" in str(tag.attrs)]
    for tag in soup.find_all(True):
        for name, value in tag.attrs.items():
            text = "".join(str(value).split()).lower()
            if name.startswith("on") or "javascript:" in text or text.startswith("data:text"):
                alive.append(f"{tag.name} {name}={text[:60]}")
    assert alive == []


@pytest.mark.parametrize("student", ATTACKS, ids=ids)
def test_verdicts_stay_small_and_print_as_text(replay, student):
    verdict = replay.graded[student].verdict
    assert len(verdict.to_json()) < 12 * 2**20
    said = [*verdict.notes, *(check.message for check in verdict.checks)]
    assert [text for text in said if not text.replace("\n", " ").replace("\t", " ").isprintable()] == []
