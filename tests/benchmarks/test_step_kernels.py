"""The loop by kernels computes what the library's does; with Triton, which PyTorch's builds for a GPU bring along."""

import os
from importlib.util import find_spec

import pytest
import torch

from seq2seq.layers.bahdanau_steps import BahdanauSteps


@pytest.mark.skipif(find_spec("triton") is None, reason="needs Triton")
@pytest.mark.parametrize("source_len", [1, 4, 7])
def test_results_and_gradients_are_those_of_the_librarys_loop(source_len):
    if not torch.cuda.is_available():
        os.environ["TRITON_INTERPRET"] = "1"  # read where Triton is imported, and later again
    from benchmarks.step_kernels import KernelSteps

    device = "cuda" if torch.cuda.is_available() else "cpu"
    generator = torch.Generator().manual_seed(0)

    def draw(*shape):
        drawn = torch.randn(*shape, generator=generator, dtype=torch.float64)
        return drawn.to(device).requires_grad_()

    steps, batch, size, attention_size, encoder_size = 3, 3, 5, 37, 34
    source_mask = torch.arange(source_len) < torch.tensor([[source_len], [(source_len + 1) // 2], [0]])
    arguments = [
        draw(steps, batch, 3 * size),
        draw(batch, size),
        draw(batch, source_len, attention_size),
        draw(batch, source_len, encoder_size),
        source_mask.to(device),
        draw(attention_size, size),
        draw(1, attention_size),
        draw(3 * size, encoder_size),
        draw(3 * size, size),
        draw(3 * size),
    ]
    differentiable = [argument for argument in arguments if argument.requires_grad]
    results = {}
    for loop in BahdanauSteps, KernelSteps:
        parts = loop.apply(*arguments)
        directions = [torch.linspace(-1, 1, part.numel(), dtype=part.dtype).view_as(part).to(device) for part in parts]
        results[loop] = [*parts, *torch.autograd.grad(parts, differentiable, directions)]
    torch.testing.assert_close(results[KernelSteps], results[BahdanauSteps])
