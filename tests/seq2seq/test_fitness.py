"""A fused loop stands for a module, and for a subclass, exactly where both compute the same."""

import pytest
import torch
from torch import nn

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.fused.fitness import computes_as
from seq2seq.scorers import AdditiveScorer, DotScorer, ScaledDotScorer


class Named(DotScorer):
    name = "mine"

    def described(self):
        return self.name


class Doubled(DotScorer):
    def score(self, query, projected_keys):
        return 2 * super().score(query, projected_keys)


def test_a_subclass_that_adds_computes_the_same():
    assert computes_as(DotScorer(), DotScorer)
    assert computes_as(Named(), ScaledDotScorer, DotScorer)


def test_what_overrides_or_is_another_does_not():
    assert not computes_as(Doubled(), DotScorer)
    assert not computes_as(nn.Linear(2, 3), DotScorer)
    assert not computes_as(ScaledDotScorer(), DotScorer)


@pytest.mark.parametrize("register", ["register_forward_hook", "register_forward_pre_hook"])
def test_a_hook_is_not_passed_by(register):
    scorer = DotScorer()
    handle = getattr(scorer, register)(lambda *arguments: None)
    assert not computes_as(scorer, DotScorer)
    handle.remove()
    assert computes_as(scorer, DotScorer)


def test_a_method_of_its_own_is_not_passed_by():
    scorer = DotScorer()
    scorer.score = lambda query, projected_keys: projected_keys.sum(-1)
    assert not computes_as(scorer, DotScorer)


@pytest.mark.parametrize("factor", [1.0, 3.0])
def test_a_decoder_uses_the_scorer_that_it_was_given(factor):
    class Mine(AdditiveScorer):
        pass

    class Changed(AdditiveScorer):
        def score(self, query, projected_keys):
            return factor * super().score(query, projected_keys)

    torch.manual_seed(0)
    decoders = [BahdanauDecoder(11, 5, 4, 6, kind(4, 6, 3)).double() for kind in (AdditiveScorer, Mine, Changed)]
    for other in decoders[1:]:
        other.load_state_dict(decoders[0].state_dict())
    ran = []
    for decoder in decoders:
        decoder._run_additive = lambda *given, own=decoder._run_additive, of=decoder: ran.append(of) or own(*given)
    states, mask = torch.randn(2, 7, 6, dtype=torch.float64), torch.arange(7) < torch.tensor([[7], [4]])
    target = torch.randint(4, 11, (2, 3))
    logits = []
    for decoder in decoders:
        memory, state = decoder.start(states, states[:, 0], mask)
        logits.append(decoder.unroll(target, state, memory)[0])
    assert ran == decoders[:2]
    torch.testing.assert_close(logits[1], logits[0])
    assert torch.allclose(logits[2], logits[0]) == (factor == 1.0)
