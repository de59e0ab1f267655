"""What every decoder of the library must do: the classes are found, not listed, so that a new one is held to it too.

A constructor's arguments are chosen by their names; a decoder that takes a scorer is tried with each, and one that
takes the name of a cell with each cell.
"""

import equations
import pytest
import torch
from small_models import arguments_of, assert_same, assert_widened, gradients, library_classes, randomise, tensors

from seq2seq.beam.state import reorder, select_memory
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.hard import HardAttentionDecoder
from seq2seq.decoders.orders import LookGenerateUpdateDecoder
from seq2seq.layers.recurrent import CELLS
from seq2seq.scorer import Scorer

BATCH, SOURCE_LEN, TARGET_LEN, HIDDEN, ENCODER, VOCAB = 2, 7, 4, 6, 8, 9
SIZES = {
    "vocab_size": VOCAB,
    "embedding_size": 3,
    "hidden_size": HIDDEN,
    "encoder_size": ENCODER,
    "attention_size": 5,
    "half_width": 1,
    "words": 3,
    "size": 12,
    "heads": 3,
    "inner_size": 10,
}
SCORER_SIZES = {"query_size": HIDDEN, "key_size": ENCODER, "attention_size": 5, "max_keys": 60}
SCORERS = {kind.__name__.removesuffix("Scorer"): kind for kind in library_classes(Scorer) if kind.__base__ is Scorer}
MASK = torch.arange(SOURCE_LEN) < torch.tensor([[7], [5]])
ONE_ROW_MASKED = MASK & torch.tensor([[True], [False]])


def needed(kind):
    return arguments_of(kind, required=True)


FOUND = library_classes(Decoder)
KNOWN = [kind for kind in FOUND if set(needed(kind)) <= {*SIZES, "scorer"}]


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


def build(kind, scorer, cell, seed=1, **options):
    torch.manual_seed(seed)
    sizes = {name: SIZES[name] for name in needed(kind) if name != "scorer"}
    if scorer:
        its_sizes = {name: SCORER_SIZES[name] for name in needed(SCORERS[scorer])}
        options["scorer"] = SCORERS[scorer](**its_sizes)
        if not its_sizes:  # it takes query and key as they are
            sizes["hidden_size"] = ENCODER
    return randomise(kind(**sizes, **options, **({"cell": cell} if cell else {})))


@pytest.fixture(params=PLAIN + WITH_CELLS, ids=lambda case: "-".join(filter(None, [case[0].__name__, *case[1:]])))
def case(request):
    return request.param


@pytest.fixture
def decoder(case):
    return build(*case)


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


def inputs_of(decoder, given):
    return [given[1].requires_grad_(), given[2].requires_grad_(), *decoder.parameters()]


def test_every_decoder_is_tried_with_every_scorer_and_has_its_equations():
    unknown = {kind.__name__: sorted(set(needed(kind)) - {*SIZES, "scorer"}) for kind in FOUND if kind not in KNOWN}
    assert unknown == {}, "give these arguments a value in SIZES"
    assert {kind for kind in FOUND if kind not in equations.DECODERS} == set(), "write down the equations of these"
    assert {kind for kind in SCORERS.values() if kind not in equations.SCORES} == set()
    assert len(KNOWN) >= 20
    assert len(SCORERS) >= 5


def test_it_says_what_its_papers_equations_say(decoder, given):
    target_in, states, final = given
    ours = [part.detach() for part in unrolled(decoder, *given, MASK)]
    decoder.requires_grad_(False)
    for row, length in enumerate(MASK.sum(1).tolist()):
        equation = equations.DECODERS[type(decoder)]
        steps = equation(decoder, target_in[row].tolist(), states[row, :length], final[row])
        parts = [[torch.as_tensor(part).to(states) for part in parts] for parts in zip(*steps, strict=True)]
        assert_widened([part[row] for part in ours], [torch.stack(part) for part in parts])


def test_unroll_equals_looped_steps_and_has_their_gradients(decoder, given):
    inputs = inputs_of(decoder, given)
    ours, theirs = (way(decoder, *given, MASK) for way in (unrolled, looped))
    assert_same(ours, theirs)
    assert_same(gradients(ours, inputs), gradients(theirs, inputs))


def test_gradients_through_the_unroll_are_right_and_reach_every_parameter(decoder, given):
    target_in, *_ = given

    def forward(states, final, *_):
        return tuple(part for part in unrolled(decoder, target_in, states, final, MASK) if part.requires_grad)

    inputs = inputs_of(decoder, given)
    assert torch.autograd.gradcheck(forward, inputs, fast_mode=True)
    reached = zip(decoder.named_parameters(), gradients(forward(*inputs), inputs)[2:], strict=True)
    assert [name for (name, _), part in reached if not part.any()] == []


def test_so_much_padding_that_local_attention_gathers_changes_nothing(decoder, given):
    target_in, states, final, more = *given, 40
    rubbish = torch.randn(BATCH, more, ENCODER, dtype=torch.float64)
    wide = target_in, torch.cat([states, rubbish], dim=1), final, torch.nn.functional.pad(MASK, (0, more))
    narrow = unrolled(decoder, *given, MASK)
    assert_widened(unrolled(decoder, *wide), narrow)
    assert_widened(looped(decoder, *wide), narrow)


def test_a_fully_masked_row_gives_no_nan_and_does_not_disturb_its_neighbour(decoder, given):
    inputs, whole = inputs_of(decoder, given), unrolled(decoder, *given, MASK)
    ways = [way(decoder, *given, ONE_ROW_MASKED) for way in (unrolled, looped)]
    found = [gradients(outputs, inputs) for outputs in ways]
    assert_same(ways[0], ways[1])
    assert_same(found[0], found[1])
    assert all(part.isfinite().all() for part in (*ways[0], *found[0]))
    assert_same([part[:1] for part in ways[0]], [part[:1] for part in whole])
    assert not any(part[1].any() for part in ways[0] if part.size(-1) == SOURCE_LEN)  # no weights


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


def test_a_seed_repeats_what_is_said_dropout_and_all_and_evaluation_has_no_dropout(case, given):
    has_dropout = "dropout" in arguments_of(case[0], required=False)
    options = {"dropout": 0.5} if has_dropout else {}
    first, again, other = (unrolled(build(*case, seed=seed, **options), *given, MASK) for seed in (1, 1, 2))
    assert all(torch.equal(*pair) for pair in zip(first, again, strict=True))
    assert not torch.allclose(first[0], other[0])
    if has_dropout:
        decoder = build(*case, **options)
        assert not torch.allclose(*(unrolled(decoder, *given, MASK)[0] for _ in range(2)))
        decoder.eval()
        assert_same(unrolled(decoder, *given, MASK), looped(decoder, *given, MASK))


def test_its_state_dict_carries_all_and_its_arguments_stay_as_they_were(case, decoder, given):
    other, before = build(*case, seed=2), [part.clone() for part in (*given, MASK)]
    other.load_state_dict(decoder.state_dict())
    assert_same(unrolled(other, *given, MASK), unrolled(decoder, *given, MASK))
    memory, state = decoder.start(*given[1:], MASK)
    kept = [part.clone() for part in tensors((memory, state))]
    sum(part.sum() for part in tensors(decoder.unroll(given[0], state, memory))).backward()
    decoder.step(given[0][:, 0], state, memory)
    assert all(torch.equal(*pair) for pair in zip(tensors((memory, state)), kept, strict=True))
    assert all(torch.equal(*pair) for pair in zip((*given, MASK), before, strict=True))


def test_single_precision_gives_the_same_but_for_rounding(decoder, given):
    target_in, states, final = given
    double = unrolled(decoder, *given, MASK)
    single = unrolled(decoder.float(), target_in, states.float(), final.float(), MASK)
    assert {part.dtype for part in single} == {torch.float32}
    for ours, theirs in zip(single, double, strict=True):
        torch.testing.assert_close(ours.double(), theirs, atol=1e-4, rtol=1e-4)


@pytest.mark.cuda
def test_cpu_and_gpu_agree(decoder, given):
    on_cpu = [way(decoder, *given, MASK) for way in (unrolled, looped)]
    moved = [part.cuda() for part in (*given, MASK)]
    on_gpu = [way(decoder.cuda(), *moved) for way in (unrolled, looped)]
    assert_same([part.cpu() for part in tensors(on_gpu)], on_cpu)
