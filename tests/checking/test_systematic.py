"""The small mistakes that people make are among the changes that the diagnosis tries and the mutants are made by."""

import pytest

from tests.mutation.mutants import mutants, plain

CELL = '''\
def answer(x: Tensor, mask: Tensor, n: int = 1) -> Tensor:
    """Of 3 things."""
    ### BEGIN SOLUTION
    if n < 0:
        raise ValueError(f"n: got {n}, expected 0 or more")
    rows: list[int] = [x[:, j] for j in range(n)]  # a comment
    return torch.softmax(x.masked_fill(~mask, -2.5), dim=-1) @ rows[0].T
    ### END SOLUTION
'''
RETURN = "return torch.softmax(x.masked_fill(~mask, -2.5), dim=-1) @ rows[0].T"
CHANGES = ["pass", "if n <= 0:", "if n < 1:", "return rows[0].T"]
CHANGES += [f"rows: list[int] = [{item} for j in range(n)]" for item in ("x", "x[:, j + 1]", "x[j, :]")]
CHANGES += [f"rows: list[int] = [x[:, j] for j in range({end})]" for end in ("n - 1", "1, n")]
CHANGES += [
    RETURN.replace(old, new)
    for old, new in [
        ("dim=-1", "dim=-2"),
        ("dim=-1", "dim=0"),
        (", dim=-1", ""),
        ("~mask", "mask"),
        ("-2.5", "2.5"),
        ("-2.5", "-5.0"),
        ("~mask, -2.5", "-2.5, ~mask"),
        ("x.masked_fill(~mask, -2.5)", "x"),
        ("softmax", "log_softmax"),
        ("torch.softmax(x.masked_fill(~mask, -2.5), dim=-1)", "x.masked_fill(~mask, -2.5)"),
        (".T", ""),
        ("rows[0]", "rows[1]"),
    ]
]
CHANGES += ["return rows[0].T @ torch.softmax(x.masked_fill(~mask, -2.5), dim=-1)"]


def test_the_mistakes_that_people_make_are_among_the_changes_and_types_and_messages_stay():
    made = mutants(CELL)
    lines = {line[2:] for mutant in made for line in mutant.diff.splitlines() if line.startswith("+ ")}
    assert [change for change in CHANGES if change not in lines] == []
    for mutant in made:
        assert mutant.source.partition("things.")[0] == plain(CELL).partition("things.")[0]
        assert "list[int]" in mutant.source or "+ pass" in mutant.diff
        assert "expected 0 or more" in mutant.source or "+ pass" in mutant.diff


@pytest.mark.parametrize("line", ["if n < 0:", "if n > 0:"])
def test_a_change_of_a_guard_alone_knows_it(line):
    guards = {mutant.guard for mutant in mutants(CELL.replace("if n < 0:", line)) if "+ if" in mutant.diff}
    assert guards == {line}
