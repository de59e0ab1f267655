"""The mutation tool itself."""

from types import SimpleNamespace

import pytest

from tests.mutation import trial
from tests.mutation.argued import Argument, BadArgument, arguments
from tests.mutation.mutants import Mutant, mutants, plain
from tests.mutation.trial import BROKE, SURVIVED, verdicts

CELL = '''\
def answer(x: Tensor, n: int = 1) -> Tensor:
    """Of 3 things."""
    ### BEGIN SOLUTION
    if n < 0:
        raise ValueError(f"n: got {n}, expected 0 or more")
    return torch.softmax(x[:, 1], dim=-1)  # a comment
    ### END SOLUTION
'''


def test_mutants_change_one_thing_of_the_body_alone_and_those_of_a_guard_know_it():
    found = mutants(CELL)
    lines = {line for mutant in found for line in mutant.diff.splitlines()}
    assert {"+ if n <= 0:", "+ return torch.softmax(x[:, 1], dim=0)", "+ return x[:, 1]"} <= lines
    assert found == mutants(CELL)
    assert len({mutant.source for mutant in found} - {plain(CELL)}) == len(found)
    for mutant in found:
        assert mutant.source.partition("things.")[0] == plain(CELL).partition("things.")[0]
        assert "expected 0 or more" in mutant.source or "+ pass" in mutant.diff
    assert {mutant.guard for mutant in found if "+ if" in mutant.diff} == {"if n < 0:"}
    argument = Argument("t", "good manners only", guard="if n < 0:")
    assert [argument.covers("t", Mutant("", "", guard)) for guard in ("if n < 0:", "")] == [True, False]


def test_a_mutant_that_loops_crashes_or_breaks_the_check_is_told_and_the_next_is_judged(monkeypatch):
    monkeypatch.setattr(trial, "SECONDS", 0.3)
    lesson = SimpleNamespace(found=lambda task, which, space: [None][space["x"]], space=lambda task: {})
    loop = "while True:\n    try:\n        while True: pass\n    except BaseException: pass"
    sources = ("x = 0", loop, "x = 0", "import os; os.abort()", "import os; os._exit(0)", "x = 0", "x = 1")
    told = verdicts(lesson, "", [Mutant(source, "") for source in sources])
    ended = ["the mutant loops", SURVIVED, "the mutant loops", "the mutant ended the process", SURVIVED]
    assert told[:-1] == [SURVIVED, *ended]
    assert told[-1].startswith(f"{BROKE}: the visible check raised IndexError")


@pytest.mark.parametrize(
    "fields", ['"no"\ndiff = "-"', '"is it the same"', '"is it the same"\ndiff = "-"\nguard = "if"']
)
def test_an_argument_that_says_too_little_is_refused(tmp_path, fields):
    (tmp_path / "a.toml").write_text(f'[[mutant]]\ntask = "t"\nwhy = {fields}\n')
    with pytest.raises(BadArgument):
        arguments("a", tmp_path)
