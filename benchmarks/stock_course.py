"""A scratch course for stock nbgrader, and its state after an attack."""

import hashlib
import json
import shutil
import sys
from pathlib import Path
from typing import Any

from benchmarks.stock_box import run

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
from attacks import notebooks  # noqa: E402
from attacks.notebooks import Attack  # noqa: E402

NAME = notebooks.NAME
BEFORE, ATTACKER, AFTER = "ada", "mallory", "zoe"
CONFIGURATION = "c = get_config()\nc.ExecutePreprocessor.timeout = 15\nc.CourseDirectory.course_id = 'course'\n"
SECRETS = (
    "CANARY-",
    "SQLite format 3",
    "check_masked_softmax_hidden",
    "Attention: mask the scores, normalise them",
    "ExecutePreprocessor.timeout",
)
NBGRADER = [sys.executable, "-m", "nbgrader"]


def template(place: Path) -> Path:
    """Creates a course in which the first honest student has been graded."""
    course = place / "template"
    (course / "source" / NAME).mkdir(parents=True)
    for folder in ("autograder", "seq2seq"):  # stock runs checks with the answers, so it needs both
        shutil.copytree(ROOT / folder, course / folder, ignore=shutil.ignore_patterns("__pycache__", "results"))
    shutil.copy(ROOT / "build" / "source" / NAME / f"{NAME}.ipynb", course / "source" / NAME)
    (course / "nbgrader_config.py").write_text(CONFIGURATION)
    (course / "course.marker").write_text("")
    notebooks.hand_in(None, course / "submitted" / BEFORE)
    for command in ("generate_assignment", "autograde"):
        ended, _ = run(course, [*NBGRADER, command, NAME], 200)
        if ended != "exit 0":
            raise SystemExit(
                f"stock_attacks: nbgrader {command} ended with {ended}: {(course / 'log.txt').read_text()}"
            )
    if (score := scores(course).get(BEFORE)) != 20:
        raise SystemExit(f"stock_attacks: an honest student got {score} of 20; is {ROOT / 'build'} up to date?")
    return course


def scores(course: Path) -> dict[str, float | None]:
    """Student → points in the gradebook; None if nothing was graded."""
    from nbgrader.api import Gradebook

    points = {}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        for submission in gradebook.assignment_submissions(NAME):
            graded = [grade for notebook in submission.notebooks for grade in notebook.grades]
            done = any(grade.auto_score is not None for grade in graded)
            points[submission.student.id] = float(submission.score) if done else None
    return points


def hashes(course: Path) -> dict[str, str]:
    """The digest of every file that a grading run must not change."""
    names = ["source", "release", "autograder", "seq2seq", "nbgrader_config.py"]
    names += [f"{kind}/{student}" for kind in ("submitted", "autograded") for student in (BEFORE, AFTER)]
    files = [
        path for name in names for path in ((course / name).rglob("*") if (course / name).is_dir() else [course / name])
    ]
    return {
        str(path.relative_to(course)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if path.is_file() and "__pycache__" not in path.parts
    }


def shown(course: Path) -> str:
    """What the attacker's cells printed and displayed, without error messages, which quote the checks."""
    path = course / "autograded" / ATTACKER / NAME / f"{NAME}.ipynb"
    try:
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    except (OSError, ValueError, KeyError):
        return ""
    outputs = [output for cell in cells for output in cell.get("outputs", ()) if output["output_type"] != "error"]
    return json.dumps(outputs, ensure_ascii=False)


def attacked(course: Path, attack: Attack) -> dict[str, Any]:
    """Grades a class with the attack by stock nbgrader and records the outcome."""
    notebooks.hand_in(attack, course / "submitted" / ATTACKER)
    notebooks.hand_in(None, course / "submitted" / AFTER)
    before = hashes(course)
    ended, seconds = run(course, [*NBGRADER, "autograde", NAME])
    harmed = []
    try:
        points = scores(course)
    except Exception as error:  # the attack may leave the gradebook in any state
        points, harmed = {}, [f"the gradebook cannot be read: {type(error).__name__}"]
    harmed += [
        f"{student} has {points.get(student)} of 20 points" for student in (BEFORE, AFTER) if points.get(student) != 20
    ]
    after = hashes(course)
    harmed += [f"{path} was changed" for path, digest in before.items() if after.get(path) != digest]
    text = shown(course)
    score = points.get(ATTACKER)
    return {
        "score": score,
        "ended": ended,
        "stopped": points.get(AFTER) is None,
        "harmed": harmed[:5],
        "leaked": [secret for secret in SECRETS if secret in text],
        "seconds": round(seconds, 1),
    }
