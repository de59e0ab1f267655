"""The written-out backward pass of the Bahdanau loop, against the recorded one."""

import pytest
import torch

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.fused.bahdanau import BahdanauSteps
from seq2seq.scorers import AdditiveScorer

VOCAB, EMBEDDING, HIDDEN, ENCODER, ATTENTION = 11, 5, 7, 6, 9
BATCH, SOURCE, TARGET = 3, 4, 5
MASK = torch.tensor([[True, True, True, True], [True, True, False, False], [False, False, False, False]])


class SameScorer(AdditiveScorer):
    """Additive scores by a method of its own: the decoder runs the loop that autograd records."""

    def score(self, query: torch.Tensor, projected_keys: torch.Tensor) -> torch.Tensor:
        return super().score(query, projected_keys)


def decoders() -> tuple[BahdanauDecoder, BahdanauDecoder]:
    torch.manual_seed(0)
    written_out, recorded = (
        BahdanauDecoder(VOCAB, EMBEDDING, HIDDEN, ENCODER, scorer(HIDDEN, ENCODER, ATTENTION)).double()
        for scorer in (AdditiveScorer, SameScorer)
    )
    recorded.load_state_dict(written_out.state_dict())
    return written_out, recorded


def run(decoder: BahdanauDecoder, mask: torch.Tensor) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    generator = torch.Generator().manual_seed(1)
    states = torch.randn(BATCH, SOURCE, ENCODER, generator=generator, dtype=torch.double).requires_grad_()
    final = torch.randn(BATCH, ENCODER, generator=generator, dtype=torch.double).requires_grad_()
    target_in = torch.randint(0, VOCAB, (BATCH, TARGET), generator=generator)
    memory, state = decoder.start(states, final, mask)
    outputs = decoder.unroll(target_in, state, memory)
    loss = sum((part * torch.randn(part.shape, generator=generator, dtype=torch.double)).sum() for part in outputs)
    return list(outputs), list(torch.autograd.grad(loss, [states, final, *decoder.parameters()]))


@pytest.mark.parametrize("mask", [torch.ones_like(MASK), MASK], ids=["full", "padded and one row of padding alone"])
def test_equals_the_loop_that_autograd_records(mask: torch.Tensor) -> None:
    written_out, recorded = decoders()
    outputs, gradients = run(written_out, mask)
    expected_outputs, expected_gradients = run(recorded, mask)
    torch.testing.assert_close(outputs, expected_outputs)
    torch.testing.assert_close(gradients, expected_gradients)


def test_gradcheck() -> None:
    def draw(*shape: int) -> torch.Tensor:
        return torch.randn(*shape, generator=generator, dtype=torch.double).requires_grad_()

    generator = torch.Generator().manual_seed(2)
    torch.autograd.gradcheck(
        BahdanauSteps.apply,
        (
            draw(3, 2, 12),
            draw(2, 4),
            draw(2, 5, 3),
            draw(2, 5, 6),
            torch.tensor([[True] * 5, [True, True, False, False, False]]),
            draw(3, 4),
            draw(1, 3),
            draw(12, 6),
            draw(12, 4),
            draw(12),
        ),
    )


def test_the_callers_tensors_are_left_as_they_were() -> None:
    decoder, _ = decoders()
    states = torch.randn(BATCH, SOURCE, ENCODER, dtype=torch.double)
    kept = states.clone()
    memory, state = decoder.start(states, states[:, 0], MASK)
    projected, first = memory.projected_keys.clone(), state.clone()
    logits, weights = decoder.unroll(torch.ones(BATCH, TARGET, dtype=torch.long), state, memory)
    (logits.sum() + weights.square().sum()).backward()
    assert torch.equal(states, kept)
    assert torch.equal(memory.projected_keys, projected)
    assert torch.equal(state, first)


@pytest.mark.cuda
def test_cpu_and_gpu_agree() -> None:
    decoder, _ = decoders()
    target_in = torch.randint(0, VOCAB, (BATCH, TARGET))
    states = torch.randn(BATCH, SOURCE, ENCODER, dtype=torch.double)

    def logits(device: str) -> torch.Tensor:
        decoder.to(device)
        memory, state = decoder.start(states.to(device), states[:, 0].to(device), MASK.to(device))
        return decoder.unroll(target_in.to(device), state, memory)[0].cpu()

    torch.testing.assert_close(logits("cuda"), logits("cpu"))
