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
    """Write a model's `state_dict()` as the checkpoint called `name`, where `load` finds it, and return the path."""
    path = DIRECTORY / f"{name}.npz"
    numpy.savez_compressed(path, allow_pickle=False, **{key: _half(value).numpy() for key, value in state.items()})
    return path


def _half(value: Tensor) -> Tensor:
    value = value.detach().cpu()
    return value.half() if value.is_floating_point() else value


def _full(value: Tensor) -> Tensor:
    return value.float() if value.is_floating_point() else value
