"""What checks say of an answer that returns several things."""

from autograder.expect import CheckFailed
from autograder.wording import brief, labelled


def expect_pair(what: str, got: object, case: str = "") -> tuple[object, object]:
    """Two things, as ``what`` names them: "(states, final)"."""
    return expect_several(what, got, 2, case)


def expect_several(what: str, got: object, count: int, case: str = "") -> tuple:
    """As many things as ``what`` names."""
    if not isinstance(got, tuple | list) or len(got) != count:
        why = "is the `return` missing?" if got is None else "return all of them, in this order"
        raise CheckFailed(labelled("the result", case), brief(got), what, why)
    return tuple(got)
