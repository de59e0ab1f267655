"""What every decoder of the library must do: the classes are found, not listed, so that a new one is held to it too.

A constructor's arguments are chosen by their names; a decoder that takes a scorer is tried with two.
"""

import importlib
import inspect
import pkgutil

import pytest
import torch

import seq2seq
from seq2seq.decoders.decoder import Decoder
from seq2seq.scorers import AdditiveScorer, BilinearScorer

BATCH, SOURCE_LEN, TARGET_LEN, HIDDEN, ENCODER, ATTENTION = 2, 7, 4, 6, 8, 5
SIZES = {
    "vocab_size": 9,
    "embedding_size": 3,
    "hidden_size": HIDDEN,
    "encoder_size": ENCODER,
    "attention_size": ATTENTION,
    "half_width": 1,
    "words": 3,
    "size": 12,
    "heads": 3,
    "inner_size": 10,
}
SCORERS = {
    "additive": lambda: AdditiveScorer(HIDDEN, ENCODER, ATTENTION),
    "bilinear": lambda: BilinearScorer(HIDDEN, ENCODER),
}
MASK = torch.arange(SOURCE_LEN) < torch.tensor([[7], [5]])
ONE_ROW_MASKED = MASK & torch.tensor([[True], [False]])


def subclasses(kind):
    return {kind} | {below for child in kind.__subclasses__() for below in subclasses(child)}


def found():
    """Every public decoder class that a module of the library, experiments apart, defines."""
    for module in pkgutil.walk_packages(seq2seq.__path__, "seq2seq."):
        if not module.name.startswith("seq2seq.experiments"):
            importlib.import_module(module.name)
    here = [kind for kind in subclasses(Decoder) - {Decoder} if kind.__module__.startswith("seq2seq.")]
    return sorted((kind for kind in here if not kind.__name__.startswith("_")), key=lambda kind: kind.__name__)


def needed(kind):
    """The names of the arguments without which the class cannot be built."""
    arguments = inspect.signature(kind).parameters.values()
    return [argument.name for argument in arguments if argument.default is argument.empty]


FOUND = found()
KNOWN = [kind for kind in FOUND if set(needed(kind)) <= {*SIZES, "scorer"}]
CASES = [(kind, scorer) for kind in KNOWN for scorer in (SCORERS if "scorer" in needed(kind) else [None])]


def build(kind, scorer, seed=1, **options):
    """In double precision, every weight random, biases and gains too."""
    torch.manual_seed(seed)
    sizes = {name: SIZES[name] for name in needed(kind) if name != "scorer"}
    decoder = kind(**sizes, **({"scorer": SCORERS[scorer]()} if scorer else {}), **options)
    for parameter in decoder.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    return decoder.double()


@pytest.fixture(params=CASES, ids=lambda case: "-".join(filter(None, [case[0].__name__, case[1]])))
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
        torch.randint(0, SIZES["vocab_size"], (BATCH, TARGET_LEN), generator=generator),
        torch.randn(BATCH, SOURCE_LEN, ENCODER, dtype=torch.float64, generator=generator),
        torch.randn(BATCH, ENCODER, dtype=torch.float64, generator=generator),
    )


def tensors(result):
    """What a decoder says, flat: logits, weights where it has them, and whatever else its kind says."""
    if isinstance(result, torch.Tensor):
        return [result]
    return [] if result is None else [tensor for part in result for tensor in tensors(part)]


def unrolled(decoder, target_in, states, final, source_mask):
    memory, state = decoder.start(states, final, source_mask)
    return tensors(decoder.unroll(target_in, state, memory))


def looped(decoder, target_in, states, final, source_mask):
    """The definition of unroll: step after step, each with the true word before it."""
    memory, state = decoder.start(states, final, source_mask)
    steps = []
    for previous in target_in.unbind(1):
        *said, state = decoder.step(previous, state, memory)
        steps.append(tensors(said))
    return [torch.stack(parts, 1) for parts in zip(*steps, strict=True)]


def assert_same(ours, theirs):
    assert len(ours) == len(theirs)
    for one, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(one, other)


def test_every_decoder_is_tried():
    unknown = {kind.__name__: sorted(set(needed(kind)) - {*SIZES, "scorer"}) for kind in FOUND if kind not in KNOWN}
    assert unknown == {}, "give these arguments a value in SIZES"
    assert len(KNOWN) >= 6


def test_unroll_equals_looped_steps(decoder, given):
    assert_same(unrolled(decoder, *given, MASK), looped(decoder, *given, MASK))


def test_gradients_through_the_unroll_are_right(decoder, given):
    target_in, states, final = given

    def forward(states, final, *_):
        return tuple(part for part in unrolled(decoder, target_in, states, final, MASK) if part.requires_grad)

    inputs = (states.requires_grad_(), final.requires_grad_(), *decoder.parameters())
    assert torch.autograd.gradcheck(forward, inputs, fast_mode=True)


def test_more_padding_changes_nothing(decoder, given):
    target_in, states, final = given
    rubbish = torch.randn(BATCH, 3, ENCODER, dtype=torch.float64)
    wide_mask = torch.nn.functional.pad(MASK, (0, 3))
    narrow = unrolled(decoder, *given, MASK)
    wide = unrolled(decoder, target_in, torch.cat([states, rubbish], dim=1), final, wide_mask)
    assert_same([part[..., : before.size(-1)] for part, before in zip(wide, narrow, strict=True)], narrow)


def test_what_lies_under_the_padding_changes_nothing(decoder, given):
    target_in, states, final = given
    other = torch.where(MASK.unsqueeze(-1), states, torch.randn_like(states))
    assert_same(unrolled(decoder, target_in, other, final, MASK), unrolled(decoder, *given, MASK))


def test_the_order_of_the_batch_changes_nothing(decoder, given):
    turned = unrolled(decoder, *(part.flip(0) for part in given), MASK.flip(0))
    assert_same([part.flip(0) for part in turned], unrolled(decoder, *given, MASK))


def test_the_size_of_the_batch_changes_nothing(decoder, given):
    alone = unrolled(decoder, *(part[1:] for part in given), MASK[1:])
    assert_same(alone, [part[1:] for part in unrolled(decoder, *given, MASK)])


def test_a_fully_masked_row_gives_no_nan_in_values_or_gradients(decoder, given):
    target_in, states, final = given
    inputs = [states.requires_grad_(), final.requires_grad_(), *decoder.parameters()]
    for way in (unrolled, looped):
        said = way(decoder, target_in, states, final, ONE_ROW_MASKED)
        assert all(part.isfinite().all() for part in said)
        gradients = torch.autograd.grad(sum(part.square().sum() for part in said), inputs, allow_unused=True)
        assert all(gradient.isfinite().all() for gradient in gradients if gradient is not None)


def test_a_fully_masked_row_does_not_disturb_its_neighbour(decoder, given):
    masked, whole = (unrolled(decoder, *given, mask) for mask in (ONE_ROW_MASKED, MASK))
    assert_same([part[:1] for part in masked], [part[:1] for part in whole])


def test_a_seed_repeats_what_is_said_dropout_and_all(case, given):
    options = {"dropout": 0.5} if "dropout" in inspect.signature(case[0]).parameters else {}
    first, second, other = (unrolled(build(*case, seed=seed, **options), *given, MASK) for seed in (1, 1, 2))
    assert all(torch.equal(one, again) for one, again in zip(first, second, strict=True))
    assert not torch.allclose(first[0], other[0])


@pytest.mark.cuda
def test_cpu_and_gpu_agree(decoder, given):
    on_cpu = [unrolled(decoder, *given, MASK), looped(decoder, *given, MASK)]
    on_gpu = decoder.cuda()
    moved = [part.cuda() for part in (*given, MASK)]
    for ours, theirs in zip(on_cpu, [unrolled(on_gpu, *moved), looped(on_gpu, *moved)], strict=True):
        assert_same(ours, [part.cpu() for part in theirs])
