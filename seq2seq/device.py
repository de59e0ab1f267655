"""The device to compute on: the best available, or the one you name; and how to ask it for little.

A GPU computes while Python goes on. Who asks it for a number waits until all that was asked before is computed.
"""

import os

import torch
from torch import Tensor

ASYNCHRONOUS = {"cuda"}  # the kinds of device that compute while Python goes on


def choose_device(name: str | torch.device | None = None) -> torch.device:
    """The device called `name`; else the one in the environment variable ``SEQ2SEQ_DEVICE``; else CUDA, MPS or CPU,
    the first available. A device is returned as it is.

    Raises:
        ValueError: the name is not one that PyTorch knows, or the device is not on this machine.
    """
    if isinstance(name, torch.device):
        return name
    asked = name or os.environ.get("SEQ2SEQ_DEVICE")
    if not asked:
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


def between_looks(device: torch.device, steps: int) -> int:
    """How often a loop looks at what a device has computed: every so many steps, where a look is a wait; else at each
    step."""
    return steps if device.type in ASYNCHRONOUS else 1


def send(tensor: Tensor, device: torch.device) -> Tensor:
    """A tensor of the CPU on another device; nobody waits for a GPU, nor later for its :func:`bounds`."""
    if tensor.device.type != "cpu" or device.type not in ASYNCHRONOUS:
        return tensor.to(device)
    sent = tensor.pin_memory().to(device, non_blocking=True)
    if tensor.dtype in (torch.int, torch.long) and tensor.numel():
        _keep(sent, *bounds(tensor))
    return sent


def is_traced() -> bool:
    """Whether PyTorch reads or transforms what runs, as ``torch.compile``, ``torch.export`` and ``torch.func`` do.

    Then no number can be read, and a hand-written backward pass cannot be used.
    """
    return torch.compiler.is_compiling() or torch._C._are_functorch_transforms_active()


def bounds(numbers: Tensor) -> tuple[int, int]:
    """The least and the greatest of whole numbers, at least one; nobody waits if they are known.

    Numbers that cannot be looked at, being traced or on the device "meta", are taken for 1.
    """
    if numbers.is_meta or is_traced():
        return 1, 1
    if known := _known(numbers):
        return known
    least, greatest = int(numbers.min()), int(numbers.max())
    if numbers.device.type in ASYNCHRONOUS:
        _keep(numbers, least, greatest)
    return least, greatest


def with_bounds(copy: Tensor, original: Tensor, *more: int) -> Tensor:
    """The copy of whole numbers, and of some more, with its :func:`bounds`, if those of the original are known."""
    if known := _known(original):
        _keep(copy, min(*known, *more), max(*known, *more))
    return copy


def _keep(numbers: Tensor, least: int, greatest: int) -> None:
    """Until something changes the tensor."""
    if not numbers.is_inference():  # of which nobody knows whether it has changed
        vars(numbers)["bounds"] = numbers._version, least, greatest


def _known(numbers: Tensor) -> tuple[int, int] | None:
    version, *known = vars(numbers).get("bounds", (None,))
    return (known[0], known[1]) if known and version == numbers._version else None


def device_name(device: torch.device) -> str:
    """What computed, for records: the GPU's own name, or the device's type."""
    return torch.cuda.get_device_name(device) if device.type == "cuda" else device.type


def _has_mps() -> bool:
    return torch.backends.mps.is_available()
