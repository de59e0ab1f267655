"""Small trained models shipped with the course: one file of named arrays each, read without pickle.

A file holds a model's `state_dict`, with floats in half precision to save space; they are loaded as float32.
"""

from pathlib import Path

import numpy
import torch
from torch import Tensor

DIRECTORY = Path(__file__).parent


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
    arrays = {plain_name(key): narrowed(key, value, torch.float16).numpy() for key, value in state.items()}
    numpy.savez_compressed(path, allow_pickle=False, **arrays)
    return path


def plain_name(name: str) -> str:
    """The name of a weight without what torch.compile and DataParallel write into it."""
    return name.replace("_orig_mod.", "").removeprefix("module.")


def narrowed(name: str, value: Tensor, dtype: torch.dtype | None) -> Tensor:
    """A weight on the CPU; if it is a float, in `dtype` if given.

    Raises:
        OverflowError: it is finite, but too large for `dtype`.
    """
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
