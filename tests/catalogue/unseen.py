"""What the checks say of wrong answers whose authors had read nothing but the exercises.

    python -m tests.catalogue.unseen          # what is said of each answer, and the sums
    python -m tests.catalogue.unseen --json   # the same as data, to be read and judged

Each file of ``tests/answers/unseen/`` has ``WRONG``: (grade id of the answer cell, name, what is wrong in a
teacher's words, source).
``first_run.json`` keeps what the checks said the first time, with a reader's judgement of every sentence: "told" where
it names what is wrong, "untold" where it only shows a difference, "misled" where it names something else.
No check is changed for the sake of one of these answers, neither before that record is written nor after.
Earlier sets, which became examples for cases and mistakes once they had been judged, are in the history alone.
"""

import argparse
import json
import runpy
from collections import Counter
from pathlib import Path

import torch

from autograder import expect
from tests.catalogue.answers import Answer
from tests.catalogue.lesson import lesson

FOLDER = Path(__file__).parents[1] / "answers" / "unseen"


def answers(assignment: str = "[0-9]*") -> list[tuple[Answer, str]]:
    """Every answer, or those of one assignment, with what is wrong with it."""
    answers = []
    for path in sorted(FOLDER.glob(f"{assignment}.py")):
        for task, name, wrong, source in runpy.run_path(str(path))["WRONG"]:
            answers.append((Answer(task, name, source, "visible", assignment=path.stem), wrong))
    return answers


def accepted_then() -> set[str]:
    """The answers that no check rejected the first time."""
    records = json.loads((FOLDER / "first_run.json").read_text(encoding="utf-8"))
    return {record["answer"] for record in records if not record["check"]}


def said(answer: Answer) -> dict[str, str]:
    """The first check that rejects the answer, and its words; empty where none does."""
    own = lesson(answer.assignment)
    try:
        space = own.run(answer)
    except Exception as error:
        return {"check": "cell", "mistake": type(error).__name__, "sentence": str(error), "sure": "values"}
    for which in ("visible", "hidden"):
        finding = own.found(answer.task, which, space)
        if finding is not None:
            return {"check": which, "mistake": finding.mistake, "sentence": str(finding), "sure": finding.sure}
    return {}


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.catalogue.unseen", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="as data")
    chosen = parser.parse_args()
    torch.set_num_threads(1)
    expect.seed = 0
    records = []
    for answer, wrong in answers():
        label = {"answer": str(answer), "wrong": wrong}
        records.append(label | (said(answer) or {"check": "", "mistake": "", "sentence": "", "sure": ""}))
        if not chosen.json:
            print(f"{answer}\n  wrong: {wrong}\n  {records[-1]['check'] or 'ACCEPTED'}: {records[-1]['sentence']}")
    if chosen.json:
        print(json.dumps(records, indent=1))
    else:
        print(Counter(one["check"] or "accepted" for one in records), Counter(one["sure"] for one in records))


if __name__ == "__main__":
    main()
