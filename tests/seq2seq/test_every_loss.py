"""What every loss(model, batch, progress) of the library must do; they are found, so that a new one needs a case."""

import inspect
from dataclasses import dataclass, replace
from typing import Any

import pytest
import torch
from small_models import assert_same, defined, gradients, library_modules, randomise
from torch.nn import functional as F

from seq2seq.beyond.captioning import DoublyStochasticLoss
from seq2seq.beyond.copying import copying_loss, covering_loss, generating_loss
from seq2seq.beyond.extended_vocabulary import extend
from seq2seq.corpora.pair import Pair
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.fixed import EveryStepDecoder
from seq2seq.decoders.hard import HardAttentionDecoder
from seq2seq.decoders.local import LocalPredictiveDecoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.decoders.pointer import CoveragePointerDecoder
from seq2seq.encoders import Encoder
from seq2seq.losses.guided import GuidedLoss
from seq2seq.losses.hard import (
    BestPositionsLoss,
    GumbelLoss,
    LeaveOneOutLoss,
    ScoreFunctionLoss,
    SoftBaselineLoss,
    marginal_loss,
)
from seq2seq.losses.local import LocalLoss
from seq2seq.losses.scheduled_sampling import ScheduledSampling, best
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer
from seq2seq.training import forced_loss
from seq2seq.vocab import Vocabulary

VOCAB = Vocabulary(["storm", "hits", "in", "and", "said"])
PAIRS = [
    Pair(("storm", "hits", "morva", "and", "tarin"), ("storm", "hits", "morva"), frozenset({(0, 0), (1, 1), (2, 1)})),
    Pair(("belgor", "said"), ("storm", "in", "belgor", "and", "elsewhere"), frozenset({(1, 0), (0, 2)})),
    Pair(("in", "in", "droma"), ("droma",), frozenset()),
]


def model(kind=LuongDecoder, *options):
    sizes = len(VOCAB), 5, 6, 8
    if kind is CoveragePointerDecoder:
        options = (7,)
    elif kind is not EveryStepDecoder:
        options = AdditiveScorer(6, 8, 7) if kind is BahdanauDecoder else BilinearScorer(6, 8), *options
    return randomise(Seq2Seq(Encoder(len(VOCAB), 3, 4), kind(*sizes, *options)))


@dataclass
class Case:
    loss: Any
    kind: tuple = (LuongDecoder,)  # of decoder, and further arguments
    refused: type | None = None  # of decoder
    error: type = TypeError
    progress: float = 0.2


HARD = (HardAttentionDecoder,)
CASES = {
    "forced": Case(forced_loss, (BahdanauDecoder,)),
    "scheduled, drawn": Case(ScheduledSampling(lambda progress: 0.5)),
    "scheduled, own words": Case(ScheduledSampling(lambda progress: 0.0, best), (BahdanauDecoder,)),
    "guided": Case(GuidedLoss(PAIRS, VOCAB, VOCAB, 2.0), refused=EveryStepDecoder),
    "local": Case(LocalLoss(2, pull=3.0), (LocalPredictiveDecoder, 2), LuongDecoder),
    "doubly stochastic": Case(DoublyStochasticLoss(0.7), refused=EveryStepDecoder, error=ValueError),
    "score function": Case(ScoreFunctionLoss(), HARD, LuongDecoder),
    "marginal": Case(marginal_loss, HARD, LuongDecoder),
    "best positions": Case(BestPositionsLoss(2, 0.0), HARD, LuongDecoder),
    "best positions, soft at first": Case(BestPositionsLoss(2, 0.5), HARD, LuongDecoder),
    "leave one out": Case(LeaveOneOutLoss(3), HARD, LuongDecoder),
    "soft baseline": Case(SoftBaselineLoss(0.5), HARD, LuongDecoder),
    "Gumbel": Case(GumbelLoss(), HARD, LuongDecoder),
    "generating": Case(generating_loss, (CoveragePointerDecoder,)),
    "copying": Case(copying_loss, (CoveragePointerDecoder,)),
    "covering": Case(covering_loss, (CoveragePointerDecoder,), progress=0.9),
}


@pytest.fixture(params=CASES)
def case(request):
    return CASES[request.param]


@pytest.fixture
def batch():
    return extend(PAIRS, VOCAB, VOCAB)


def value(case, translator, batch, seed=1):
    torch.manual_seed(seed)
    return case.loss(translator, batch, case.progress)


def draws_nothing(case, batch):
    translator = model(*case.kind)
    translator.eval()  # a baseline that stays where it is
    return len({value(case, translator, batch, seed).item() for seed in range(5)}) == 1


def gradients_of(loss, translator):
    return gradients(loss, list(translator.parameters()))


def test_every_loss_is_tried():
    losses = [loss for module in library_modules() for loss in defined(module)]
    calls = {loss: vars(loss).get("__call__") if isinstance(loss, type) else loss for loss in losses}
    named = {loss: {*inspect.signature(call).parameters} - {"self"} for loss, call in calls.items() if call}
    losses_of_library = {loss for loss, names in named.items() if names == {"model", "batch", "progress"}}
    tried = {case.loss if inspect.isfunction(case.loss) else type(case.loss) for case in CASES.values()}
    assert {loss.__name__ for loss in losses_of_library - tried} == set(), "give these a case"
    assert len(losses_of_library) >= 14


def test_it_is_a_finite_number_that_moves_the_model_and_that_a_seed_repeats(case, batch):
    translator = model(*case.kind)
    losses = [value(case, translator.eval(), batch) for _ in range(2)]
    first, again = (gradients_of(loss, translator) for loss in losses)
    assert losses[0].shape == ()
    assert all(part.isfinite().all() for part in (losses[0], *first))
    assert all(map(torch.equal, (losses[0], *first), (losses[1], *again)))
    reached = zip(translator.named_parameters(), first, strict=True)
    assert any("key_layer" in name for (name, _), part in reached if part.any())


def test_the_padding_of_the_target_has_no_part_in_it_and_the_batch_stays_as_it_was(case, batch):
    names = "target_in", "target_out", "extended_target_out"
    rubbish = {name: getattr(batch, name).masked_fill(~batch.target_mask, 5) for name in names}
    translator = model(*case.kind).eval()
    before = {name: part.clone() for name, part in vars(batch).items() if isinstance(part, torch.Tensor)}
    assert_same(value(case, translator, replace(batch, **rubbish)), value(case, translator, batch))
    assert all(torch.equal(part, before[name]) for name, part in vars(batch).items() if name in before)


def test_the_padding_of_the_source_and_the_order_of_the_batch_change_nothing_where_nothing_is_drawn(case, batch):
    if not draws_nothing(case, batch):
        return
    translator = model(*case.kind).eval()
    expected = value(case, translator, batch)
    longer = replace(
        batch,
        source=F.pad(batch.source, (0, 2), value=5),
        source_mask=F.pad(batch.source_mask, (0, 2)),
        extended_source=F.pad(batch.extended_source, (0, 2)),
    )
    assert_same(value(case, translator, longer), expected)
    assert_same(value(case, translator, extend(PAIRS[::-1], VOCAB, VOCAB)), expected)


def test_its_gradient_is_right_where_nothing_is_drawn(case, batch):
    if not draws_nothing(case, batch):
        return
    translator = model(*case.kind).eval()
    weights = [*translator.parameters()]
    assert torch.autograd.gradcheck(lambda *_: value(case, translator, batch), weights, fast_mode=True)


def test_a_sentence_without_a_real_token_gives_no_nan(case, batch):
    translator = model(*case.kind).eval()
    memory, state = translator.read(batch.source, batch.source_lengths)
    nowhere = memory._replace(source_mask=memory.source_mask & torch.tensor([[True], [False], [True]]))
    translator.read = lambda *_: (nowhere, state)
    loss = value(case, translator, batch)
    assert loss.isfinite()
    assert all(part.isfinite().all() for part in gradients_of(loss, translator))


def test_single_precision_and_the_mode_of_the_model_are_kept(case, batch):
    translator = model(*case.kind).float()
    for training in (True, False):
        assert value(case, translator.train(training), batch).dtype == torch.float32
        assert translator.training is training


def test_a_decoder_that_it_cannot_train_is_refused_by_name(case, batch):
    if case.refused is not None:
        with pytest.raises(case.error, match=case.refused.__name__):
            case.loss(model(case.refused), batch, 0.0)


def test_cpu_and_gpu_agree_where_nothing_is_drawn(case, batch, gpu):
    if draws_nothing(case, batch):
        translator = model(*case.kind).eval()
        on_cpu = value(case, translator, batch)
        assert_same(value(case, translator.to(gpu), batch.to(gpu)).cpu(), on_cpu)
