"""``torch.cuda.CUDAGraph`` for the stand-in of a GPU, and its streams, on which everything is done in order."""

from contextlib import nullcontext
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

    def capture_begin(self, pool: Any, capture_error_mode: str) -> None:
        stand_in_gpu.take_down.append(self.take_down)
        self.waits_before = len(stand_in_gpu.waits)

    def capture_end(self) -> None:
        """Until then nobody may wait, and nothing is computed: that is what a replay does."""
        stand_in_gpu.take_down.clear()
        waits = stand_in_gpu.waits[self.waits_before :]
        del stand_in_gpu.waits[self.waits_before :]
        if waits:
            raise RuntimeError(f"operation not permitted when stream is capturing: {', '.join(waits)}")
        for *_, fresh in self.operations:
            for memory in fresh.values():
                if memory.is_floating_point():
                    memory.fill_(torch.nan)

    def replay(self) -> None:
        for operation, args, kwargs, fresh in self.operations:
            again = _tensors(operation(*args, **kwargs))
            for number, memory in fresh.items():
                memory.copy_(again[number])


class Stream:
    def __init__(self, device: Any = None) -> None:
        pass

    def wait_stream(self, stream: "Stream") -> None:
        pass


IN_PLACE_OF = {
    "CUDAGraph": Graph,
    "graph_pool_handle": lambda: None,
    "Stream": Stream,
    "current_stream": Stream,
    "stream": nullcontext,
}  # names of ``torch.cuda``


def _tensors(nested: Any) -> dict[int, Tensor]:
    return {number: leaf for number, leaf in enumerate(tree.tree_leaves(nested)) if isinstance(leaf, Tensor)}
