"""An answer's module and the reference's with the same random weights."""

from collections.abc import Callable
from typing import Any

import torch
from torch import nn

from autograder.expect import CheckFailed, ask, generator


def twins(
    answer: Callable[..., Any],
    reference: type[nn.Module],
    sizes: dict[str, int],
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> tuple[Any, Any]:
    """(the answer's module, the reference's), both built with these sizes; the first may live in another process."""
    twin = reference(*sizes.values()).to(dtype)
    module = ask(f"{reference.__name__}(…)", answer, case=case, **sizes)
    draw = generator(f"weights {reference.__name__} {sizes} {case}")
    weights = {
        name: (0.7 * torch.randn(old.shape, generator=draw)).to(dtype) for name, old in twin.state_dict().items()
    }
    found, wanted = (
        {name: tuple(value.shape) for name, value in side.items()}
        for side in (ask("parameters", module.state_dict), weights)
    )
    if found != wanted:
        names = [", ".join(f"{name} {shape}" for name, shape in side.items()) or "none" for side in (found, wanted)]
        raise CheckFailed("parameters", names[0], names[1], "leave `__init__` as it was given")
    if dtype == torch.float64:
        ask("double()", module.double)
    ask("load_state_dict", module.load_state_dict, weights=weights)
    twin.load_state_dict(weights)
    return module, twin
