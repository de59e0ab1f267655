"""A stand-in for a GPU where there is none: a device whose tensors mix with no other's, and which notes each wait.

Its tensors hold what a CPU's do. As on a GPU, an operation on tensors of two devices is an error, and whoever asks
for a number, or for a tensor of a size that the numbers decide, waits until all is computed. The device's random
numbers are the CPU's.
"""

from collections.abc import Iterator
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
PACKING = {"_pack_padded_sequence", "_pad_packed_sequence", "_pack_padded_sequence_backward"}  # lengths on the CPU
INDEXING = {"index", "index_put_", "index_put", "_index_put_impl_", "_unsafe_index"}  # take indices of the CPU, too


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


waits: list[str] = []  # the operations for which somebody waited
is_present = False
recording: "Graph | None" = None  # what takes down each operation at present


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


class Graph:
    """``torch.cuda.CUDAGraph`` of the stand-in: the operations of one run, repeated in the same memory."""

    def __init__(self) -> None:
        self.operations: list[tuple[Any, Any, Any, dict[int, Tensor]]] = []  # and the memory that each took for itself

    def take_down(self, operation: Any, args: Any, kwargs: Any, result: Any) -> None:
        given = {leaf.untyped_storage().data_ptr() for leaf in _tensors((args, kwargs)).values()}
        fresh = {
            number: leaf for number, leaf in _tensors(result).items() if leaf.untyped_storage().data_ptr() not in given
        }
        self.operations.append((operation, args, kwargs, fresh))

    def pool(self) -> None:
        return None

    def replay(self) -> None:
        for operation, args, kwargs, fresh in self.operations:
            again = _tensors(operation(*args, **kwargs))
            for number, memory in fresh.items():
                memory.copy_(again[number])


@contextmanager
def graph(taken: Graph, pool: Any = None) -> Iterator[None]:
    """``torch.cuda.graph``: within the block nobody may wait, and nothing is computed: that is what a replay does."""
    global recording
    recording = taken
    try:
        with nobody_waits(torch.device(NAME)):
            yield
    finally:
        recording = None
    for *_, fresh in taken.operations:
        for memory in fresh.values():
            if memory.is_floating_point():
                memory.fill_(torch.nan)


def _tensors(nested: Any) -> dict[int, Tensor]:
    return {number: leaf for number, leaf in enumerate(tree.tree_leaves(nested)) if isinstance(leaf, Tensor)}


class _Driver(backend_registration._DummyBackendModule):
    def is_available(self) -> bool:
        return is_present


class _Hook(backend_registration._DummyPrivateUse1Hook):
    def is_available(self) -> bool:
        return is_present


# Before the first backward pass of the process, which starts a thread for each device that it knows.
backend_registration._setup_privateuseone_for_python_backend(NAME, _Driver(), _Hook())


@contextmanager
def present() -> Iterator[torch.device]:
    """The device, within the block."""
    global is_present
    is_present = True
    waits.clear()
    with pytest.MonkeyPatch.context() as patch, enable_python_dispatcher(), _Present():
        patch.setattr(Tensor, "pin_memory", lambda tensor: tensor)  # only a GPU's driver can pin
        patch.setattr(torch.cuda, "CUDAGraph", Graph)
        patch.setattr(torch.cuda, "graph", graph)
        patch.setattr(torch, "tensor", _from_numbers)
        try:
            yield torch.device(NAME, 0)
        finally:
            is_present = False


def _from_numbers(data: Any, *, device: Any = None, **how: Any) -> Tensor:
    """``torch.tensor``, which fills a device's memory itself."""
    made = TENSOR(data, **how)
    return made if device is None else made.to(device)


@contextmanager
def nobody_waits(device: torch.device) -> Iterator[None]:
    """Refuses what makes the CPU wait for this device, a GPU or the stand-in."""
    if device.type == "cuda":
        torch.cuda.set_sync_debug_mode("error")
        try:
            yield
        finally:
            torch.cuda.set_sync_debug_mode("default")
        return
    waits.clear()
    yield
    assert waits == []


@contextmanager
def somebody_waits(device: torch.device) -> Iterator[None]:
    """Allows it again within :func:`nobody_waits`."""
    if device.type == "cuda":
        torch.cuda.set_sync_debug_mode("default")
    before = len(waits)
    yield
    del waits[before:]
    if device.type == "cuda":
        torch.cuda.set_sync_debug_mode("error")


def _run(operation: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
    given = tree.tree_leaves((args, kwargs))
    of_device = [leaf for leaf in given if isinstance(leaf, StandIn)]
    elsewhere = [leaf for leaf in given if isinstance(leaf, Tensor) and not isinstance(leaf, StandIn) and leaf.dim()]
    name = operation.overloadpacket.__name__
    asked = kwargs.get("device")
    target = torch.device(asked).type if asked is not None else NAME if of_device else CPU.type
    if of_device and elsewhere and operation not in COPIES and name not in INDEXING | PACKING:
        devices = f"{of_device[0].device} and {elsewhere[0].device}"
        raise RuntimeError(
            f"Expected all tensors to be on the same device, but found at least two devices, {devices}! ({name})"
        )
    if operation in COPIES:
        if not kwargs.get("non_blocking") and (elsewhere or target != NAME) and (of_device or target == NAME):
            waits.append(name)
    elif of_device and (name in WAITING or (name in INDEXING and _masks(args[1]))):
        waits.append(name)
    on_cpu, named = tree.tree_map(_on_cpu, (args, kwargs))
    result = operation(*on_cpu, **named)
    if recording and target == NAME:
        recording.take_down(operation, on_cpu, named, result)
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
    return CPU if isinstance(leaf, torch.device) else leaf
