"""Random inputs for one case, determined by seed and name, in the dtype of the case."""

import torch
from torch import Tensor

from autograder.expect import generator


class Draw:
    def __init__(self, name: str, dtype: torch.dtype = torch.float32) -> None:
        self.generator, self.dtype = generator(name), dtype

    def normal(self, *shape: int, scale: float = 1.0) -> Tensor:
        return (scale * torch.randn(shape, generator=self.generator)).to(self.dtype)

    def uniform(self, *shape: int, low: float = 0.0, high: float = 1.0) -> Tensor:
        return (low + (high - low) * torch.rand(shape, generator=self.generator)).to(self.dtype)

    def shares(self, *shape: int, mask: Tensor | None = None) -> Tensor:
        """Weights that sum to 1 over the last axis, none near 0 except where ``mask`` is False."""
        raw = 1.5 * torch.rand(shape, generator=self.generator)
        raw = raw if mask is None else raw.masked_fill(~mask, -torch.inf)
        return raw.softmax(-1).nan_to_num(0.0).to(self.dtype)

    def whole(self, low: int, high: int, *shape: int) -> Tensor:
        """Integers from ``low`` up to but excluding ``high``."""
        return torch.randint(low, high, shape, generator=self.generator)

    def integer(self, low: int, high: int) -> int:
        return int(torch.randint(low, high, (), generator=self.generator))

    def number(self, low: float = 0.0, high: float = 1.0) -> float:
        return low + (high - low) * float(torch.rand((), generator=self.generator, dtype=torch.float64))

    def order(self, count: int) -> list[int]:
        """0 … count - 1 in a random order."""
        return torch.randperm(count, generator=self.generator).tolist()

    def lengths(self, batch: int, longest: int) -> list[int]:
        """Sentence lengths: the first is ``longest``, the others are between 1 and that."""
        return [longest, *(self.integer(1, longest + 1) for _ in range(batch - 1))]

    def mask(self, lengths: list[int], width: int = 0, left: bool = False) -> Tensor:
        """True for a real token; ``left``: padding comes first."""
        mask = torch.arange(width or max(lengths)) < torch.tensor(lengths).unsqueeze(1)
        return mask.flip(-1) if left else mask
