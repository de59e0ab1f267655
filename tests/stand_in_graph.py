"""``torch.cuda.CUDAGraph`` for the stand-in of a GPU, and its streams, on which everything is done in order."""

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

import stand_in_gpu
import torch
from torch import Tensor
from torch.utils import _pytree as tree


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
def graph(taken: Graph, pool: Any, stream: Any, capture_error_mode: str) -> Iterator[None]:
    """``torch.cuda.graph``: within the block nobody may wait, and nothing is computed: that is what a replay does."""
    stand_in_gpu.take_down.append(taken.take_down)
    before = len(stand_in_gpu.waits)
    try:
        yield
    finally:
        stand_in_gpu.take_down.clear()
    assert stand_in_gpu.waits[before:] == [], "nobody may wait while a graph is recorded"
    for *_, fresh in taken.operations:
        for memory in fresh.values():
            if memory.is_floating_point():
                memory.fill_(torch.nan)


class Stream:
    def __init__(self, device: Any = None) -> None:
        pass

    def wait_stream(self, stream: "Stream") -> None:
        pass


IN_PLACE_OF = {
    "CUDAGraph": Graph,
    "graph": graph,
    "Stream": Stream,
    "current_stream": Stream,
    "stream": nullcontext,
}  # names of ``torch.cuda``


def _tensors(nested: Any) -> dict[int, Tensor]:
    return {number: leaf for number, leaf in enumerate(tree.tree_leaves(nested)) if isinstance(leaf, Tensor)}
