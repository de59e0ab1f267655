"""Two tensors that an answer returns together, in a certain order."""

from torch import Tensor

from autograder.expect import CheckFailed, expect_shape, expect_tensor
from autograder.wording import labelled

Sizes = dict[str, int]


def expect_pair(
    what: str, result: object, names: tuple[str, str], sizes: tuple[Sizes, Sizes], like: Tensor, case: str = ""
) -> tuple[Tensor, Tensor]:
    """The two tensors, named and of these sizes; what was returned in the wrong order is told so."""
    order = f"({names[0]}, {names[1]})"
    if isinstance(result, Tensor) or not isinstance(result, tuple | list) or len(result) != 2:
        got = "one tensor" if isinstance(result, Tensor) else f"a {type(result).__name__}"
        got = "nothing (None)" if result is None else got
        why = "is the `return` missing?" if result is None else "the caller needs both"
        raise CheckFailed(labelled(what, case), got, f"the pair {order}", why)
    for name, part in zip(names, result, strict=True):
        expect_tensor(name, part, like, case)
    shapes, wanted = [tuple(part.shape) for part in result], [tuple(size.values()) for size in sizes]
    if shapes == wanted[::-1] and shapes != wanted:
        got = f"the pair ({names[1]}, {names[0]})"
        raise CheckFailed(labelled(what, case), got, order, "the order is the other way")
    for name, part, size in zip(names, result, sizes, strict=True):
        expect_shape(name, part, case=case, **size)
    return result[0], result[1]
