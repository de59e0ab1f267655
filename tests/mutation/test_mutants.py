"""The mutation tool itself."""

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
from tests.mutation import trial
from tests.mutation.argued import Argument, BadArgument, arguments
from tests.mutation.mutants import Mutant, mutants, plain
from tests.mutation.trial import BROKE, SURVIVED, verdicts

CELL = """\
def answer(x: Tensor, mask: Tensor, n: int = 1) -> Tensor:
    \"\"\"Of 3 things.\"\"\"
    ### BEGIN SOLUTION
    if n < 0:
        raise ValueError(f"n: got {n}, expected 0 or more")
    rows: list[int] = [x[:, j] for j in range(n)]  # a comment
    return torch.softmax(x.masked_fill(~mask, -2.5), dim=-1) @ rows[0].T
    ### END SOLUTION
"""


def changed(cell):
    return {line[2:] for mutant in mutants(cell) for line in mutant.diff.splitlines() if line.startswith("+ ")}


@pytest.mark.parametrize(
    "line",
    [
        "pass",
        "if n <= 0:",
        "if n < 1:",
        "rows: list[int] = [x for j in range(n)]",
        "rows: list[int] = [x[:, j + 1] for j in range(n)]",
        "rows: list[int] = [x[j, :] for j in range(n)]",
        "rows: list[int] = [x[:, j] for j in range(n - 1)]",
        "rows: list[int] = [x[:, j] for j in range(1, n)]",
        "return torch.softmax(x.masked_fill(~mask, -2.5), dim=-2) @ rows[0].T",
        "return torch.softmax(x.masked_fill(~mask, -2.5), dim=0) @ rows[0].T",
        "return torch.softmax(x.masked_fill(~mask, -2.5)) @ rows[0].T",
        "return torch.softmax(x.masked_fill(mask, -2.5), dim=-1) @ rows[0].T",
        "return torch.softmax(x.masked_fill(~mask, 2.5), dim=-1) @ rows[0].T",
        "return torch.softmax(x.masked_fill(~mask, -5.0), dim=-1) @ rows[0].T",
        "return torch.softmax(x.masked_fill(-2.5, ~mask), dim=-1) @ rows[0].T",
        "return torch.softmax(x, dim=-1) @ rows[0].T",
        "return torch.log_softmax(x.masked_fill(~mask, -2.5), dim=-1) @ rows[0].T",
        "return x.masked_fill(~mask, -2.5) @ rows[0].T",
        "return rows[0].T @ torch.softmax(x.masked_fill(~mask, -2.5), dim=-1)",
        "return torch.softmax(x.masked_fill(~mask, -2.5), dim=-1) @ rows[0]",
        "return torch.softmax(x.masked_fill(~mask, -2.5), dim=-1) @ rows[1].T",
        "return rows[0].T",
    ],
)
def test_the_mistakes_that_people_make_are_among_the_mutants(line):
    assert line in changed(CELL)


def test_only_the_body_changes_not_types_texts_or_messages():
    for mutant in mutants(CELL):
        head, _, body = mutant.source.partition("things.")
        assert head == plain(CELL).partition("things.")[0]
        assert "list[int]" in body or "pass" in body
        assert "expected 0 or more" in body or "pass" in body


def test_mutants_are_the_same_every_time_and_no_two_are_equal():
    assert mutants(CELL) == mutants(CELL)
    assert len({mutant.source for mutant in mutants(CELL)}) == len(mutants(CELL))
    assert plain(CELL) not in {mutant.source for mutant in mutants(CELL)}


def test_what_changes_a_guard_alone_knows_it():
    guards = {mutant.guard for mutant in mutants(CELL) if "+ if" in mutant.diff}
    assert guards == {"if n < 0:"}
    assert Argument("t", "good manners only", guard="if n < 0:").covers("t", Mutant("", "", "if n < 0:"))
    assert not Argument("t", "good manners only", guard="if n < 0:").covers("t", Mutant("", "- return x\n+ pass"))


@pytest.fixture
def says(monkeypatch):
    """What becomes of sources whose check is Python's own exec."""

    def judge(source):
        exec(source, {})
        return SURVIVED

    monkeypatch.setattr(trial, "_judge", lambda lesson, task: judge)
    monkeypatch.setattr(trial, "SECONDS", 0.3)
    return lambda *sources: verdicts(SimpleNamespace(), "", [Mutant(source, "") for source in sources])


def test_a_mutant_that_loops_or_crashes_is_killed_and_the_next_is_judged(says):
    loop = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    crash = "import os; os.abort()"
    told = says("x = 1", loop, "x = 2", crash, "import os; os._exit(0)", "x = 3")
    assert told == [
        SURVIVED,
        "the mutant loops",
        SURVIVED,
        "the mutant loops",
        "the mutant ended the process",
        SURVIVED,
    ]


def test_a_check_that_breaks_is_told_apart():
    def found(task, which, space):
        return [][space["answer"]]

    lesson = SimpleNamespace(found=found, space=lambda task: {})
    (told,) = verdicts(lesson, "it", [replace(Mutant("", ""), source="answer = 0")])
    assert told.startswith(f"{BROKE}: the visible check raised IndexError")


@pytest.mark.parametrize(
    "entry",
    [
        'task = "t"\nwhy = "no"\ndiff = "- a"',
        'task = "t"\nwhy = "it cannot be told apart"',
        'task = "t"\nwhy = "it cannot be told apart"\ndiff = "- a"\nguard = "if a:"',
    ],
)
def test_an_argument_that_says_too_little_is_refused(tmp_path, entry):
    (tmp_path / "a.toml").write_text(f"[[mutant]]\n{entry}\n")
    with pytest.raises(BadArgument):
        arguments("a", tmp_path)
