"""The backward pass from given slopes: v ↦ vᵀ · ∂y/∂x, one product for each output."""

from collections.abc import Sequence

import torch
from torch import Tensor


def slopes(output: Tensor) -> Tensor:
    """A slope for each of its numbers, from 0.5 to 1.5, all different."""
    return torch.linspace(0.5, 1.5, output.numel()).to(output).view(output.shape)


def pullback(outputs: Sequence[Tensor], inputs: Sequence[Tensor], slopes: Sequence[Tensor]) -> list[Tensor | None]:
    """Σ over outputs y with slope v: vᵀ · ∂y/∂x, for each input x; None where no gradient reaches it.

    ``torch.autograd.grad`` with ``grad_outputs`` computes the same, but its first use imports sympy: 0.4 s, and
    40 MB in every fork. The gradient of Σ y · v needs no ``grad_outputs`` and is as exact.

    Args:
        outputs: tensors of any shapes, all part of the graph.
        inputs: tensors that require gradients.
        slopes: one for each output, of its shape.

    Raises:
        ValueError: a slope and its output differ in shape.
        RuntimeError: no output is part of a graph.
    """
    for output, slope in zip(outputs, slopes, strict=True):
        if output.shape != slope.shape:
            raise ValueError(f"a slope has the shape {tuple(slope.shape)}; its output has {tuple(output.shape)}.")
    with torch.enable_grad():
        total = sum((output * slope).sum() for output, slope in zip(outputs, slopes, strict=True))
    return list(torch.autograd.grad(total, inputs, retain_graph=True, allow_unused=True))  # type: ignore[arg-type]  # 0: no outputs
