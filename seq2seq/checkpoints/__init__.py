"""Small trained models shipped with the course: one file of named arrays each, read without pickle.

A file holds a model's `state_dict`, with floats in half precision to save space; they are loaded as float32.
"""

from collections.abc import Mapping
from pathlib import Path

import numpy
import torch
from torch import Tensor

DIRECTORY = Path(__file__).parent
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


def load(name: str) -> dict[str, Tensor]:
    """The state of the model called `name`, ready for `load_state_dict`.

    Raises:
        FileNotFoundError: no checkpoint has that name.
    """
    path = DIRECTORY / f"{name}.npz"
    if not path.exists():
        known = ", ".join(sorted(file.stem for file in DIRECTORY.glob("*.npz")))
        raise FileNotFoundError(f"name: got {name!r}, expected one of the checkpoints {known}.")
    with numpy.load(path, allow_pickle=False) as arrays:
        return {key: _full(torch.from_numpy(arrays[key])) for key in arrays.files}


def save(name: str, state: dict[str, Tensor]) -> Path:
    """Write a model's `state_dict()` as the checkpoint called `name`, where `load` finds it, and return the path.

    Raises:
        OverflowError: a weight is too large for half precision.
    """
    path = DIRECTORY / f"{name}.npz"
    names = plain_names(state)
    arrays = {names[key]: narrowed(key, value, torch.float16).numpy() for key, value in state.items()}
    numpy.savez_compressed(path, allow_pickle=False, **arrays)
    return path


def plain_names(state: Mapping[str, Tensor]) -> dict[str, str]:
    """The names of weights, and what they are without what torch.compile and DataParallel write into them."""
    plain = {name: name.replace("_orig_mod.", "") for name in state}
    if all(name.startswith("module.") for name in plain.values()):  # else it is a part of the model's own
        plain = {name: short.removeprefix("module.") for name, short in plain.items()}
    return plain


def narrowed(name: str, value: Tensor, dtype: torch.dtype | None) -> Tensor:
    """A weight on the CPU; if it is a float, in `dtype` if given.

    Raises:
        TypeError: `dtype` is no type of floats that a state is kept in.
        OverflowError: it is finite, but too large for `dtype`.
    """
    if dtype not in (None, *FLOATS):
        raise TypeError(f"dtype: got {dtype!r}, expected one of {FLOATS}, or None; in another, weights are lost.")
    value = value.detach().cpu()
    if dtype is None or not value.is_floating_point():
        return value
    narrow = value.to(dtype)
    if (value.isfinite() & ~narrow.isfinite()).any():
        raise OverflowError(
            f"dtype: got {dtype}, whose largest number is {torch.finfo(dtype).max:g}, but {name} holds "
            f"{value.abs().max():g}; save it without a dtype, or as torch.bfloat16."
        )
    return narrow


def _full(value: Tensor) -> Tensor:
    return value.float() if value.is_floating_point() else value
