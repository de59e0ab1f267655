"""What every decoder must do step by step, beyond what ``test_every_layer`` asks of it; the classes are found.

A constructor's arguments are chosen by their names; a decoder that takes a scorer is tried with each, and one that
takes the name of a cell with each cell.
"""

import equations
import pytest
import torch
from small_models import SIZE, arguments_of, assert_same, gradients, library_classes, randomise, tensors

from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.hard import HardAttentionDecoder
from seq2seq.decoders.orders import LookGenerateUpdateDecoder
from seq2seq.decoders.state import reorder, select_memory
from seq2seq.encoders import Encoder
from seq2seq.layers.recurrent import CELLS
from seq2seq.model import Seq2Seq
from seq2seq.scorer import Scorer

BATCH, SOURCE_LEN, TARGET_LEN, HIDDEN, ENCODER, VOCAB = 2, 7, 4, 6, 8, 11
SIZES = {
    **{"vocab_size": VOCAB, "embedding_size": 3, "hidden_size": HIDDEN, "encoder_size": ENCODER, "attention_size": 5},
    **{"half_width": 1, "words": 3, "size": 12, "heads": 3, "inner_size": 10},
}
SCORER_SIZES = {"query_size": HIDDEN, "key_size": ENCODER, "attention_size": 5, "max_keys": 60}
SCORERS = {kind.__name__.removesuffix("Scorer"): kind for kind in library_classes(Scorer) if kind.__base__ is Scorer}
MASK = torch.arange(SOURCE_LEN) < torch.tensor([[7], [5]])
ONE_ROW_MASKED = MASK & torch.tensor([[True], [False]])


def needed(kind):
    return arguments_of(kind, required=True)


EVERY = library_classes(Decoder)
KNOWN = [kind for kind in EVERY if set(needed(kind)) <= {*SIZES, "scorer"}]


def scorers_for(kind):
    """All, but for those that have their attention from a decoder that is tried with all."""
    if "scorer" not in needed(kind):
        return [None]
    heirs = (BahdanauDecoder, HardAttentionDecoder)
    return ["Additive", "Bilinear"] if issubclass(kind, heirs) and kind is not BahdanauDecoder else list(SCORERS)


PLAIN = [(kind, scorer, None) for kind in KNOWN for scorer in scorers_for(kind)]
WITH_CELLS = [
    (kind, scorer, cell)
    for kind, scorer, _ in PLAIN
    if "cell" in arguments_of(kind, required=False)
    for cell in CELLS
    if (cell == "lstm" and scorer != "Location") or (cell != "gru" and scorer in (None, "Bilinear"))
]


def make(kind, scorer, cell, **options):
    sizes = {name: SIZES[name] for name in needed(kind) if name != "scorer"}
    if scorer:
        its_sizes = {name: SCORER_SIZES[name] for name in needed(SCORERS[scorer])}
        options["scorer"] = SCORERS[scorer](**its_sizes)
        if not its_sizes:  # it takes query and key as they are
            sizes["hidden_size"] = ENCODER
    return kind(**sizes, **options, **({"cell": cell} if cell else {}))


def translator(kind):
    """A small model with this decoder."""
    return Seq2Seq(Encoder(SIZE, 3, ENCODER // 2), make(kind, "Bilinear" if "scorer" in needed(kind) else None, None))


@pytest.fixture(params=PLAIN + WITH_CELLS, ids=lambda case: "-".join(filter(None, [case[0].__name__, *case[1:]])))
def case(request):
    return request.param


@pytest.fixture
def decoder(case):
    return randomise(make(*case))


@pytest.fixture
def given():
    """Target words, encoder states, final."""
    generator = torch.Generator().manual_seed(3)
    return (
        torch.randint(0, VOCAB, (BATCH, TARGET_LEN), generator=generator),
        torch.randn(BATCH, SOURCE_LEN, ENCODER, dtype=torch.float64, generator=generator),
        torch.randn(BATCH, ENCODER, dtype=torch.float64, generator=generator),
    )


def unrolled(decoder, target_in, states, final, source_mask):
    memory, state = decoder.start(states, final, source_mask)
    return tensors(decoder.unroll(target_in, state, memory))


def looped(decoder, target_in, states, final, source_mask):
    """The definition of unroll: step after step, each with the true word before it."""
    memory, state = decoder.start(states, final, source_mask)
    steps = []
    for previous in target_in.unbind(1):
        *outputs, state = decoder.step(previous, state, memory)
        steps.append(tensors(outputs))
    return [torch.stack(parts, 1) for parts in zip(*steps, strict=True)]


def test_every_decoder_is_tried_with_every_scorer_and_has_its_equations():
    unknown = {kind.__name__: sorted(set(needed(kind)) - {*SIZES, "scorer"}) for kind in EVERY if kind not in KNOWN}
    assert unknown == {}, "give these arguments a value in SIZES"
    assert {kind for kind in EVERY if kind not in equations.DECODERS} == set(), "write down the equations of these"
    assert {kind for kind in SCORERS.values() if kind not in equations.SCORES} == set()
    assert len(KNOWN) >= 20
    assert len(SCORERS) >= 5


def test_unroll_equals_looped_steps_and_has_their_gradients(decoder, given):
    """Also where a row is all masked, and where there is so much padding that local attention gathers."""
    target_in, states, final = given
    rubbish = torch.randn(BATCH, 40, ENCODER, dtype=torch.float64)
    wide, wide_mask = torch.cat([states, rubbish], dim=1), torch.nn.functional.pad(MASK, (0, 40))
    for encoded, mask in ((states, MASK), (states, ONE_ROW_MASKED), (wide, wide_mask)):
        inputs = [encoded.requires_grad_(), final.requires_grad_(), *decoder.parameters()]
        ours, theirs = (way(decoder, target_in, encoded, final, mask) for way in (unrolled, looped))
        assert_same(ours, theirs)
        assert_same(gradients(ours, inputs), gradients(theirs, inputs))
        if mask is ONE_ROW_MASKED:
            assert not any(part[1].any() for part in ours if part.size(-1) == SOURCE_LEN)  # no weights


def test_a_search_can_reorder_the_state_and_steps_can_end_in_an_unroll(decoder, given):
    target_in, states, final = given
    memory, state = decoder.start(states, final, MASK)
    *_, state = decoder.step(target_in[:, 0], state, memory)
    rest = tensors(decoder.unroll(target_in[:, 1:], state, memory))
    if not isinstance(decoder, LookGenerateUpdateDecoder):  # its unroll is from the start
        assert_same(rest, [part[:, 1:] for part in unrolled(decoder, *given, MASK)])
    order = torch.tensor([1, 0])
    outputs = tensors(decoder.step(target_in[:, 1], state, memory)[:-1])
    turned = decoder.step(target_in[order, 1], reorder(state, order), select_memory(memory, order))
    assert_same(turned[:-1], [part[order] for part in outputs])


def test_hypotheses_of_one_sentence_may_share_its_memory_if_it_says_so(decoder, given):
    target_in, states, final = given
    if decoder.shares_memory:
        memory, state = decoder.start(states, final, MASK)
        *_, state = decoder.step(target_in[:, 3], state, memory)
        rows = torch.tensor([0, 0, 0, 1, 1, 1])
        previous, many = target_in[:, :3].flatten(), reorder(state, rows)
        assert_same(decoder.step(previous, many, memory), decoder.step(previous, many, select_memory(memory, rows)))


def test_evaluation_has_no_dropout_step_by_step_either(case, given):
    if "dropout" in arguments_of(case[0], required=False):
        decoder = randomise(make(*case, dropout=0.5)).eval()
        assert_same(unrolled(decoder, *given, MASK), looped(decoder, *given, MASK))


def test_memory_and_state_stay_as_they_were(decoder, given):
    memory, state = decoder.start(*given[1:], MASK)
    copies = [part.clone() for part in tensors((memory, state))]
    sum(part.sum() for part in tensors(decoder.unroll(given[0], state, memory))).backward()
    decoder.step(given[0][:, 0], state, memory)
    assert all(torch.equal(*pair) for pair in zip(tensors((memory, state)), copies, strict=True))


def test_steps_on_cpu_and_gpu_agree(decoder, given, gpu):
    on_cpu = looped(decoder, *given, MASK)
    on_gpu = looped(decoder.to(gpu), *(part.to(gpu) for part in (*given, MASK)))
    assert_same([part.cpu() for part in on_gpu], on_cpu)
