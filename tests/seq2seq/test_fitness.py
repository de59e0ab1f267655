"""A loop with its backward pass written out stands for modules that are unchanged alone; plain loops spare work."""

import pytest
import torch
from small_models import randomise
from torch import nn

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import computes_as_written
from seq2seq.decoders.luong import InputFeedingDecoder
from seq2seq.exercises.bahdanau import unroll
from seq2seq.exercises.luong import unroll_feeding
from seq2seq.exercises.toy_steps import FeedingToyStep, ToyStep
from seq2seq.layers.bahdanau_steps import BahdanauSteps
from seq2seq.layers.feeding_steps import FeedingSteps
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, ScaledDotScorer


def test_only_the_class_itself_unchanged_computes_as_written():
    assert computes_as_written(DotScorer(), ScaledDotScorer, DotScorer)
    named = type("Named", (DotScorer,), {"name": "mine", "described": lambda self: self.name})
    altered = DotScorer()
    altered.score = lambda query, projected_keys: projected_keys.sum(-1)
    others = named(), nn.Linear(2, 3), ScaledDotScorer(), altered
    assert [computes_as_written(other, DotScorer) for other in others] == [False] * 4


@pytest.mark.parametrize("register", ["register_forward_hook", "register_forward_pre_hook"])
def test_a_hook_is_not_passed_by(register):
    scorer = DotScorer()
    handle = getattr(scorer, register)(lambda *arguments: None)
    assert not computes_as_written(scorer, DotScorer)
    handle.remove()
    assert computes_as_written(scorer, DotScorer)


FUSED = {  # a decoder, its cell, a scorer, its sizes: those for which the decoder has a loop of its own
    "additive": (BahdanauDecoder, (), AdditiveScorer, (8, 8, 3), BahdanauSteps),
    "bilinear": (InputFeedingDecoder, ("lstm",), BilinearScorer, (8, 8), FeedingSteps),
    "dot": (InputFeedingDecoder, ("lstm",), DotScorer, (), FeedingSteps),
    "scaled dot": (InputFeedingDecoder, ("lstm",), ScaledDotScorer, (), FeedingSteps),
}


@pytest.mark.parametrize("factor", [1.0, 3.0])
@pytest.mark.parametrize("name", FUSED)
def test_a_decoder_runs_its_loop_where_it_computes_the_same_and_uses_the_scorer_that_it_was_given(
    name, factor, monkeypatch
):
    kind, cell, scorer, sizes, steps = FUSED[name]
    heir = type("Heir", (scorer,), {})
    changed = type("Changed", (scorer,), {"score": lambda *given: factor * scorer.score(*given)})
    calls, apply = [], steps.apply
    monkeypatch.setattr(steps, "apply", lambda *given: calls.append(1) or apply(*given))
    decoders = [randomise(kind(11, 5, 8, 8, each(*sizes), *cell)) for each in (scorer, heir, changed)]
    states, mask = torch.randn(2, 7, 8, dtype=torch.float64), torch.arange(7) < torch.tensor([[7], [4]])
    target, outputs, ran = torch.randint(4, 11, (2, 3)), [], []
    for decoder in decoders:
        decoder.load_state_dict(decoders[0].state_dict())
        memory, state = decoder.start(states, states[:, 0], mask)
        outputs.append(decoder.unroll(target, state, memory)[0])
        ran.append(len(calls))
    assert ran == [1, 1, 1]
    torch.testing.assert_close(outputs[1], outputs[0])
    assert torch.allclose(outputs[2], outputs[0]) == (factor == 1.0)


@pytest.mark.parametrize(("kind", "way"), [(ToyStep, unroll), (FeedingToyStep, unroll_feeding)])
def test_keys_are_projected_once(kind, way):
    step = kind(3, 4, 6)
    way(step, torch.randn(2, 7, 3), torch.randn(2, 4), torch.randn(2, 5, 6), torch.ones(2, 5, dtype=torch.bool))
    assert int(step.projections) == 1
