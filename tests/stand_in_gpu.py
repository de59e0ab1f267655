"""A stand-in for a GPU where there is none: a device whose tensors mix with no other's, and which notes each wait.

Its tensors hold what a CPU's do. As on a GPU, an operation on tensors of two devices is an error, and whoever asks
for a number, or for a tensor of a size that the numbers decide, waits until all is computed. The device's random
numbers are the CPU's.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import torch
from torch import Tensor
from torch._dispatch.python import enable_python_dispatcher
from torch.utils import _pytree as tree
from torch.utils import backend_registration
from torch.utils._python_dispatch import TorchDispatchMode, return_and_correct_aliasing

from seq2seq.layers.gru import gru_step

NAME = "gpu"
CPU = torch.device("cpu")
ATEN = torch.ops.aten
TENSOR = torch.tensor
COPIES = (ATEN._to_copy.default, ATEN.copy_.default)
WAITING = {"_local_scalar_dense", "nonzero", "masked_select", "equal", "unique_dim", "_unique2", "unique_consecutive"}
WAITING |= {"repeat_interleave", "bincount", "multinomial"}
PACKING = {"_pack_padded_sequence", "_pad_packed_sequence", "_pack_padded_sequence_backward"}  # lengths on the CPU
INDEXING = {"index", "index_put_", "index_put", "_index_put_impl_", "_unsafe_index"}  # take indices of the CPU, too


waits: list[str] = []  # the operations for which somebody waited
is_present = False
take_down: list[Callable[[Any, Any, Any, Any], None]] = []  # what gets each operation with what it gave, at present


class StandIn(Tensor):
    """A tensor of the device: its numbers are those of `raw`, on the CPU."""

    raw: Tensor
    __torch_function__ = torch._C._disabled_torch_function_impl

    @staticmethod
    def __new__(cls, raw: Tensor) -> "StandIn":
        layout = {"strides": raw.stride(), "storage_offset": raw.storage_offset()}
        tensor = Tensor._make_wrapper_subclass(cls, raw.shape, dtype=raw.dtype, device=torch.device(NAME, 0), **layout)
        tensor.raw = raw
        return tensor

    @classmethod
    def __torch_dispatch__(cls, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(operation, args, kwargs or {})

    def tolist(self) -> Any:
        waits.append("tolist")
        return self.raw.tolist()

    def __repr__(self) -> str:
        return f"{self.raw!r} on the stand-in"


class _Present(TorchDispatchMode):
    """Tensors can be made on the device, and be sent to it."""

    def __torch_dispatch__(self, operation: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        return _run(operation, args, kwargs or {})


def register() -> bool:
    """Makes the device known to PyTorch, if there is no GPU, beside which there may be no other; whether it is."""
    if torch.cuda.is_available() or not hasattr(backend_registration, "_setup_privateuseone_for_python_backend"):
        return False

    class Driver(backend_registration._DummyBackendModule):
        def is_available(self) -> bool:
            return is_present

    class Hook(backend_registration._DummyPrivateUse1Hook):
        def is_available(self) -> bool:
            return is_present

    backend_registration._setup_privateuseone_for_python_backend(NAME, Driver(), Hook())
    return True


# Before the first backward pass of the process, which starts a thread for each device that it knows.
IS_KNOWN = register()


@contextmanager
def present() -> Iterator[torch.device]:
    """The device, within the block."""
    global is_present
    is_present = True
    waits.clear()
    with pytest.MonkeyPatch.context() as patch, enable_python_dispatcher(), _Present():
        patch.setattr(Tensor, "pin_memory", lambda tensor: tensor)  # only a GPU's driver can pin
        patch.setattr(torch, "tensor", _from_numbers)
        try:
            yield torch.device(NAME, 0)
        finally:
            is_present = False


def _from_numbers(data: Any, *, device: Any = None, **how: Any) -> Tensor:
    """``torch.tensor``, which fills a device's memory itself."""
    made = TENSOR(data, **how)
    return made if device is None else made.to(device)


def _run(operation: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    given = tree.tree_leaves((args, kwargs))
    of_device = [leaf for leaf in given if isinstance(leaf, StandIn)]
    of_cpu = [leaf for leaf in given if isinstance(leaf, Tensor) and not isinstance(leaf, StandIn)]
    elsewhere = [leaf for leaf in of_cpu if leaf.dim()]
    name = operation.overloadpacket.__name__
    asked = kwargs.get("device")
    target = torch.device(asked).type if asked is not None else NAME if of_device else CPU.type
    if of_device and elsewhere and operation not in COPIES and name not in INDEXING | PACKING:
        devices = f"{of_device[0].device} and {elsewhere[0].device}"
        raise RuntimeError(
            f"Expected all tensors to be on the same device, but found at least two devices, {devices}! ({name})"
        )
    is_here = of_device or target == NAME
    if operation in COPIES:
        # A graph would read the CPU's memory again, whatever is there by then.
        waited = is_here and (of_cpu or target != NAME) and (take_down or not kwargs.get("non_blocking"))
    else:
        needs_cpu = (name in INDEXING and (elsewhere or _masks(args[1]))) or (name == "where" and of_cpu)
        draws_unseen = take_down and kwargs.get("generator") is not None  # of which a graph does not know
        waited = is_here and (name in WAITING or needs_cpu or draws_unseen)
    if waited:
        waits.append(name)
    on_cpu, named = tree.tree_map(_on_cpu, (args, kwargs))
    result = operation(*on_cpu, **named)
    if target == NAME:
        for taken in take_down:
            taken(operation, on_cpu, named, result)
    if operation is ATEN.copy_.default:
        return args[0]
    if target != NAME:
        return result
    if name in PACKING and isinstance(result, tuple):
        return StandIn(result[0]), result[1]
    result = tree.tree_map(lambda leaf: StandIn(leaf) if isinstance(leaf, Tensor) else leaf, result)
    return return_and_correct_aliasing(operation, args, kwargs, result) if of_device else result


def _masks(indices: Any) -> bool:
    return any(isinstance(index, Tensor) and index.dtype == torch.bool for index in indices)


def _on_cpu(leaf: Any) -> Any:
    if isinstance(leaf, StandIn):
        return leaf.raw
    return CPU if isinstance(leaf, torch.device) and leaf.type == NAME else leaf


@ATEN.gru_cell.default.py_impl(torch._C.DispatchKey.CompositeImplicitAutograd)
def _gru_cell(inputs: Tensor, state: Tensor, *weights: Tensor) -> Tensor:
    """A GPU has a kernel for all of it, which the CPU does not."""
    return gru_step(inputs, state, *weights)


@ATEN.lstm_cell.default.py_impl(torch._C.DispatchKey.CompositeImplicitAutograd)
def _lstm_cell(inputs: Tensor, state: list[Tensor], *weights: Tensor) -> tuple[Tensor, Tensor]:
    by_input, by_state, *biases = weights
    gates = inputs @ by_input.t() + state[0] @ by_state.t() + sum(biases)
    enter, forget, new, leave = gates.chunk(4, dim=1)
    cell = forget.sigmoid() * state[1] + enter.sigmoid() * new.tanh()
    return leave.sigmoid() * cell.tanh(), cell
