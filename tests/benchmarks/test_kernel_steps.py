"""The loops by kernels compute what the library's do; with Triton, which PyTorch's builds for a GPU bring along."""

from importlib.util import find_spec

import gpus  # noqa: F401 (sets how Triton runs)
import pytest
import torch

from seq2seq.layers import bahdanau_steps, feeding_steps

STEPS, BATCH, SIZE, ATTENTION_SIZE, ENCODER_SIZE = 3, 3, 5, 37, 34
LOOPS = {
    "BahdanauSteps": (
        bahdanau_steps,
        lambda source_len: [
            (STEPS, BATCH, 3 * SIZE),
            (BATCH, SIZE),
            (BATCH, source_len, ATTENTION_SIZE),
            (BATCH, source_len, ENCODER_SIZE),
            None,
            (ATTENTION_SIZE, SIZE),
            (1, ATTENTION_SIZE),
            (3 * SIZE, ENCODER_SIZE),
            (3 * SIZE, SIZE),
            (3 * SIZE,),
        ],
    ),
    "FeedingSteps": (
        feeding_steps,
        lambda source_len: [
            (STEPS, BATCH, 4 * SIZE),
            *[(BATCH, SIZE)] * 3,
            (BATCH, source_len, SIZE),
            (BATCH, source_len, ENCODER_SIZE),
            None,
            *[(4 * SIZE, SIZE)] * 2,
            (SIZE, ENCODER_SIZE + SIZE),
        ],
    ),
}


@pytest.mark.skipif(find_spec("triton") is None, reason="needs Triton")
@pytest.mark.parametrize("source_len", [1, 4, 7])
@pytest.mark.parametrize("name", LOOPS)
def test_results_and_gradients_are_those_of_the_librarys_loop(name, source_len):
    from benchmarks import kernel_steps

    device = "cuda" if torch.cuda.is_available() else "cpu"
    generator = torch.Generator().manual_seed(0)
    source_mask = torch.arange(source_len) < torch.tensor([[source_len], [(source_len + 1) // 2], [0]])

    def draw(shape):  # None is the mask's
        drawn = torch.randn(shape, generator=generator, dtype=torch.float64) if shape else source_mask
        return drawn.to(device).requires_grad_(shape is not None)

    library, shapes = LOOPS[name]
    arguments = [draw(shape) for shape in shapes(source_len)]
    differentiable = [argument for argument in arguments if argument.requires_grad]
    results = {}
    for module in library, kernel_steps:
        parts = getattr(module, name).apply(*arguments)
        directions = [torch.linspace(-1, 1, part.numel(), dtype=part.dtype).view_as(part).to(device) for part in parts]
        results[module] = [*parts, *torch.autograd.grad(parts, differentiable, directions)]
    torch.testing.assert_close(results[kernel_steps], results[library])
