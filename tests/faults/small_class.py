"""A tiny course with a class of its own, and what a grading run left behind, in a form that can be compared."""

import json
import re
import shutil
from pathlib import Path

import autograder
from autograder.authoring import build
from autograder.judging.store import Store
from tests import small_course
from tests.gradebook_dump import dump

NAME = small_course.NAME
ANSWERS = {  # a learner's line instead of the right one → the points that it deserves from the real judge
    "return x + x": 4.5,
    "return 2 * x": 4.5,
    "return x": 2.5,
    "raise ValueError('no')": 2.5,
}


def make_course(root: Path) -> Path:
    """The small course, built, with a copy of the grader: whoever edits that one meanwhile changes no key."""
    small_course.make(root)
    (root / "autograder").unlink()
    shutil.copytree(Path(autograder.__file__).parent, root / "autograder", ignore=shutil.ignore_patterns("__pycache__"))
    build.build(root)
    return root


def solved(root: Path) -> str:
    return (root / "build" / "source" / NAME / f"{NAME}.ipynb").read_text("utf-8")


def hand_in(folder: Path, student: str, text: str | bytes) -> Path:
    """Puts a notebook into the class's folder."""
    place = folder / student / NAME
    place.mkdir(parents=True, exist_ok=True)
    (place / f"{NAME}.ipynb").write_bytes(text if isinstance(text, bytes) else text.encode())
    return folder


def make_class(root: Path, folder: Path, students: int) -> dict[str, float]:
    """Hands in for so many students; returns what each deserves. Every fifth hands in a broken file."""
    deserved = {}
    right = solved(root)
    for number in range(students):
        student = f"s{number:04}"
        line, points = list(ANSWERS.items())[number % len(ANSWERS)]
        text = right.replace("return x + x", f"{line}  # {student}")
        if number % 5 == 4:
            text, points = text[: len(text) // 2], 0.0
        hand_in(folder, student, text)
        deserved[student] = points
    return deserved


def outcome(output: Path) -> dict[str, object]:
    """Everything that a grading run is for: gradebook, verdicts, pages and graded notebooks; times and ids aside."""
    with Store(output) as store:
        verdicts = {key: json.loads(store.get(key).to_json()) for key in store.all_keys()}
        seed = str(store.seed())
    for record in verdicts.values():
        for part in (record, *record["cells"]):
            part.pop("seconds", None)
    texts = {
        path.relative_to(output).as_posix(): _plain(path.read_text("utf-8"))
        for folder in ("feedback", "autograded")
        for path in sorted((output / folder).rglob("*"))
        if path.is_file()
    }
    return {"gradebook": dump(output / "gradebook.db"), "seed": seed} | verdicts | texts


def _plain(text: str) -> str:
    return re.sub(r"[0-9a-f]{32}", "id", text)


def unfinished(output: Path) -> list[str]:
    """What may not be left: half files, locks, and SQLite's journals."""
    names = [path.relative_to(output).as_posix() for path in output.rglob("*")]
    left = re.compile(r"(.*/)?\..*|.*-(journal|wal|shm)|lock")
    return [name for name in names if left.fullmatch(name)]
