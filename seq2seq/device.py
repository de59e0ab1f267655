"""The device to compute on: the best available, or the one you name."""

import os

import torch


def choose_device(name: str | None = None) -> torch.device:
    """The device called `name`; else the one in the environment variable ``SEQ2SEQ_DEVICE``; else CUDA, MPS or CPU,
    the first available.

    Raises:
        ValueError: the name is not one that PyTorch knows, or the device is not on this machine.
    """
    asked = name or os.environ.get("SEQ2SEQ_DEVICE")
    if asked is None:
        if torch.cuda.is_available():
            return torch.device("cuda")
        return torch.device("mps" if _has_mps() else "cpu")
    try:
        device = torch.device(asked)
    except RuntimeError:
        names = "'cpu', 'cuda', 'cuda:1' or 'mps'"
        message = f"device: got {asked!r}, expected a name such as {names}."
        raise ValueError(message) from None
    missing = {"cuda": not torch.cuda.is_available(), "mps": not _has_mps()}
    if missing.get(device.type, False):
        raise ValueError(
            f"device: got {asked!r}, but this machine or this build of PyTorch "
            "has none; use 'cpu', or unset SEQ2SEQ_DEVICE to use the best "
            "available."
        )
    return device


def device_name(device: torch.device) -> str:
    """What computed, for records: the GPU's own name, or the device's type."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def _has_mps() -> bool:
    return torch.backends.mps.is_available()
