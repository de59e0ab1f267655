"""The written-out backward pass of input feeding, against the recorded one."""

import pytest
import torch

from seq2seq.decoders.luong import InputFeedingDecoder
from seq2seq.fused.input_feeding import FeedingSteps
from seq2seq.scorers import BilinearScorer, DotScorer, ScaledDotScorer

VOCAB, EMBEDDING, HIDDEN, ENCODER = 11, 5, 7, 6
BATCH, SOURCE, TARGET = 3, 4, 5
MASK = torch.tensor([[True, True, True, True], [True, True, False, False], [False, False, False, False]])
CASES = {
    "bilinear": (BilinearScorer, (HIDDEN, ENCODER), ENCODER),
    "dot": (DotScorer, (), HIDDEN),
    "scaled dot": (ScaledDotScorer, (), HIDDEN),
}


def decoders(case, cell="lstm"):
    """The decoder as it is, and one whose scorer overrides what computes, so that autograd records its steps."""
    scorer, sizes, encoder_size = CASES[case]
    unknown = type("SameScorer", (scorer,), {"score": lambda *inputs: scorer.score(*inputs)})
    written_out, recorded = (
        InputFeedingDecoder(VOCAB, EMBEDDING, HIDDEN, encoder_size, kind(*sizes), cell).double()
        for kind in (scorer, unknown)
    )
    for parameter in written_out.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    recorded.load_state_dict(written_out.state_dict())
    return written_out, recorded, encoder_size


def run(decoder, encoder_size, mask):
    generator = torch.Generator().manual_seed(1)
    states = torch.randn(BATCH, SOURCE, encoder_size, generator=generator, dtype=torch.double).requires_grad_()
    final = torch.randn(BATCH, encoder_size, generator=generator, dtype=torch.double).requires_grad_()
    target_in = torch.randint(0, VOCAB, (BATCH, TARGET), generator=generator)
    memory, state = decoder.start(states, final, mask)
    outputs = decoder.unroll(target_in, state, memory)
    loss = sum((part * torch.randn(part.shape, generator=generator, dtype=torch.double)).sum() for part in outputs)
    return list(outputs), list(torch.autograd.grad(loss, [states, final, *decoder.parameters()]))


@pytest.mark.parametrize("case", CASES)
def test_the_written_out_way_is_taken(case, monkeypatch):
    calls, apply = [], FeedingSteps.apply
    monkeypatch.setattr(FeedingSteps, "apply", lambda *inputs: calls.append(1) or apply(*inputs))
    written_out, recorded, encoder_size = decoders(case)
    run(recorded, encoder_size, MASK)
    assert calls == []
    run(written_out, encoder_size, MASK)
    assert calls == [1]
