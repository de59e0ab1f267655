"""What every module of the library must do, decoders and scorers too; they are found, so that a new one needs a case.

A case has an example and, where the module is not a composition of others here, its equations for one row without
padding: what they give must stand in the batch, whatever lies under the padding.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import layer_equations as by_row
import pytest
import torch
from equations import advance, first_state, hidden_of, linear, maxout, placed
from small_models import arguments_of, assert_same, assert_widened, gradients, library_classes, randomise, tensors
from test_every_decoder import PLAIN, WITH_CELLS, make, unrolled
from torch import nn
from torch.nn import functional as F

from seq2seq.attention import Attention
from seq2seq.beyond.captioning import Captioner, PictureEncoder
from seq2seq.beyond.feed_forward_attention import FeedForwardAttention, FeedForwardNetwork, Mean
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.demos.altered_attention import UniformAttention
from seq2seq.encoders import Encoder
from seq2seq.exercises.bahdanau import BahdanauStep, FirstState, unroll
from seq2seq.exercises.luong import InputFeedingStep, LuongStep, LuongUnroll, unroll_feeding
from seq2seq.layers.recurrent import CELLS, recurrent_layer
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer, BilinearScorer
from seq2seq.transformer.model import TransformerEncoder

PLAIN_FORMS = (FirstState, BahdanauStep, LuongStep, LuongUnroll, InputFeedingStep)  # of the decoders, to learn from
KINDS = {kind.__name__: kind for kind in (*library_classes(nn.Module), *PLAIN_FORMS)}
BATCH, LONG, STEPS, VOCAB = 3, 6, 4, 11
LENGTHS = torch.tensor([4, 6, 1])
MASK = torch.arange(LONG) < LENGTHS.unsqueeze(1)
CAUSAL = torch.ones(STEPS, 2 + STEPS, dtype=torch.bool).tril(2)  # two words before these
DRAW = torch.Generator().manual_seed(8)
STORY = torch.tensor(
    [
        [[4, 5, 6, 7], [8, 5, 0, 0], [9, 10, 4, 0], [6, 0, 0, 0], [7, 8, 4, 4]],
        [[10, 4, 0, 0], [5, 9, 7, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
        [[9, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]],
    ]
)
QUESTION = torch.tensor([[4, 6, 0], [5, 7, 9], [8, 0, 0]])


def numbers(*shape):
    return torch.randn(BATCH, *shape, dtype=torch.float64, generator=DRAW)


def ids(*shape):
    return torch.randint(4, VOCAB, (BATCH, *shape), generator=DRAW)


def apply(module, **given):
    return module(**given)


@dataclass
class Case:
    kind: str  # of module
    sizes: tuple | Callable  # or what builds it
    given: dict  # by name
    ragged: dict = field(default_factory=dict)  # inputs with padding on axis 1, and what tells it; None: PAD itself
    equations: Callable | None = None  # None: composed of other modules, or held against its oracle in its own file
    call: Callable = apply
    keeps_padding: bool = False  # what stands at padding has an output, which means nothing
    options: dict = field(default_factory=dict)
    more: int = 2  # padding to try it with

    def build(self, **options):
        return (
            self.sizes(**options) if callable(self.sizes) else KINDS[self.kind](*self.sizes, **self.options, **options)
        )


def with_keys(step, values, source_mask, **given):
    return step(**given, projected_keys=step.project_keys(values), values=values, source_mask=source_mask)


def layer_first(module, inputs, state):
    """The state of a recurrent layer is (1, batch, size), and an LSTM's is a pair."""
    state = state.unsqueeze(0)
    states, last = module(inputs, (state, torch.zeros_like(state)) if isinstance(module, nn.LSTM) else state)
    return states, hidden_of(last).squeeze(0)


def attended(module, query, keys, values, source_mask):
    return module(query, module.scorer.project_keys(keys), values, source_mask)


LOOK = {"query": numbers(4), "keys": numbers(LONG, 5), "values": numbers(LONG, 5), "source_mask": MASK}
BY_LOOK = {"keys": "source_mask", "values": "source_mask"}
VALUES, BY_MASK = {"values": numbers(LONG, 5), "source_mask": MASK}, {"values": "source_mask"}
SENTENCES, BY_LENGTHS = {"source": ids(LONG), "source_lengths": LENGTHS}, {"source": "source_lengths"}
FORCED, PICTURES = {**SENTENCES, "target_in": ids(STEPS)}, {"source": numbers(3, 42, 42).sigmoid()}
STATES, BY_STEPS = {"states": numbers(LONG, 5), "mask": MASK}, {"states": "mask"}
STEP = {"embedded": numbers(3), "state": numbers(4), **VALUES}
STEP_BY_STEP = {**STEP, "embedded": numbers(STEPS, 3)}
READ = {"state": numbers(4), "embedded": numbers(3), "context": numbers(5)}
TEXTS = {"text": ids(LONG), "text_lengths": LENGTHS, "question": ids(3), "question_lengths": torch.tensor([2, 1, 3])}
BY_TEXTS = {"text": "text_lengths", "question": "question_lengths"}
STORIES, PADDED = {"story": STORY, "question": QUESTION}, {"story": None, "question": None}
SUMMARY, ONE_STEP = {"summary": numbers(5)}, {"inputs": numbers(3), "state": numbers(4)}
SEVERAL_STEPS = {"inputs": numbers(STEPS, 3), "state": numbers(4)}
VISIBLE = {"visible": MASK.unsqueeze(1)}
SEQUENCE = {"sequence": numbers(LONG, 5), **VISIBLE}
BY_VISIBLE = {"sequence": "visible"}
WORDS = {"words": numbers(LONG, 6), **VISIBLE}
AFTER_TWO = {"words": numbers(STEPS, 6), "keys": numbers(2, 6), "values": numbers(2, 6), "source": numbers(LONG, 5)}
ROWS = {"inputs": numbers(LONG, 2), "mask": MASK}
AIM = {"hidden": numbers(STEPS, 4), "values": numbers(LONG, 1), "source_mask": MASK}
DECODED = {"target_in": ids(STEPS), "states": numbers(LONG, 8), "final": numbers(8), "source_mask": MASK}
BY_STATES = {"states": "source_mask"}
SCORERS = {  # their sizes, the size of a key, and the number of their parameters
    "DotScorer": ((), 3, 0),
    "ScaledDotScorer": ((), 3, 0),
    "BilinearScorer": ((3, 5), 5, 3 * 5),
    "AdditiveScorer": ((3, 5, 7), 5, 7 * 3 + 7 * 5 + 7),
    "LocationScorer": ((3, 9), 5, 9 * 3),
    "LocationAwareScorer": ((3, 5, 7), 5, 7 * 3 + 7 * 5 + 7 + 8 * 31 + 7 * 8),
}


def translator(encoder, kind=Seq2Seq):
    return kind(encoder, LuongDecoder(VOCAB, 3, 6, 8, BilinearScorer(6, 8)))


def all_scores(scorer, queries, keys):
    return scorer.score_all(queries, scorer.project_keys(keys))


def network(pool, *sizes):
    return FeedForwardNetwork(pool(*sizes), 2, 5)


def decoder_layer(layer, words, keys, values, source, visible):
    projected = layer.source_attention.project_keys(source)
    return layer(words, keys, values, CAUSAL.to(words.device), *projected, visible)


CASES = [
    Case("Attention", lambda: Attention(AdditiveScorer(4, 5, 7)), LOOK, BY_LOOK, by_row.attend_once, attended),
    Case("UniformAttention", lambda: UniformAttention(AdditiveScorer(4, 5, 7)), LOOK, BY_LOOK, by_row.evenly, attended),
    Case("Bridge", (5, 4), SUMMARY, {}, first_state, lambda layer, summary: layer(summary)[0]),
    Case("Bridge", (5, 4, "lstm"), SUMMARY, {}, first_state, lambda layer, summary: [x[0] for x in layer(summary)]),
    Case("MaxoutReadout", (4, 3, 5, 6), READ, {}, lambda readout, **parts: maxout(readout, *parts.values())),
    Case("Concatenation", (), READ, {}, lambda _, state, embedded, context: torch.cat([state, context, embedded])),
    *(
        Case("Encoder", (VOCAB, 3, 5), SENTENCES, BY_LENGTHS, by_row.both_ways, options=options)
        for options in ({"bidirectional": False}, *({"cell": cell} for cell in CELLS))
    ),
    Case("FrameEncoder", (4, 3, 5), {**SENTENCES, "source": numbers(LONG, 4)}, BY_LENGTHS, by_row.both_ways),
    Case("TransformerEncoder", (VOCAB, 6, 3, 7), SENTENCES, BY_LENGTHS, by_row.transformer_encoder),
    Case("WordEncoder", (VOCAB, 4), SENTENCES, BY_LENGTHS, by_row.word_encoder),
    Case("ConvolutionalEncoder", (VOCAB, 4, 3, 1), SENTENCES, BY_LENGTHS, by_row.convolutional_encoder),
    Case("PictureEncoder", (4, 2), {"pictures": PICTURES["source"]}),
    Case("PaperGruCell", (3, 4), ONE_STEP, {}, advance),
    *(
        Case(cell, lambda cell=cell: recurrent_layer(cell, 3, 4), SEVERAL_STEPS, {}, by_row.recurrent, layer_first)
        for cell in CELLS
    ),
    Case("FirstState", (6, 4), {"final": numbers(6)}, {}, lambda m, final: torch.tanh(linear(m.layer, final[3:]))),
    Case("BahdanauStep", (3, 4, 5, 7), STEP, BY_MASK, by_row.bahdanau_step, with_keys),
    Case("BahdanauStep", (3, 4, 5, 7), STEP_BY_STEP, BY_MASK, by_row.bahdanau_unroll, unroll),
    Case("InputFeedingStep", (3, 4, 5), STEP_BY_STEP, BY_MASK, by_row.feeding_unroll, unroll_feeding),
    Case("LuongStep", (3, 4, 5), STEP, BY_MASK, by_row.luong_step, with_keys),
    Case("InputFeedingStep", (3, 4, 5), {**STEP, "fed": numbers(4)}, BY_MASK, by_row.luong_step, with_keys),
    Case("LuongUnroll", (3, 4, 5), STEP_BY_STEP, BY_MASK, by_row.luong_unroll),
    Case("CentrePredictor", (4, 7), AIM, BY_MASK, by_row.centres, lambda m, values, **given: m(**given)),
    Case("SelfAttention", (5, 6, 7), SEQUENCE, BY_VISIBLE, by_row.self_attention, keeps_padding=True),
    Case("MultiHeadAttention", (12, 3, 5), {"queries": numbers(STEPS, 12), **SEQUENCE}, BY_VISIBLE, by_row.multi_head),
    Case("PlacedEmbedding", (VOCAB, 6), {"ids": ids(STEPS)}, {}, partial(placed, first=2), partial(apply, first=2)),
    Case("FeedForward", (5, 7), {"input": numbers(5)}, {}, lambda m, input: linear(m[2], linear(m[0], input).relu())),
    Case("EncoderLayer", (6, 3, 7), WORDS, {"words": "visible"}, by_row.encoder_layer, keeps_padding=True),
    Case("DecoderLayer", (6, 5, 3, 7), AFTER_TWO | VISIBLE, {"source": "visible"}, call=decoder_layer),
    Case("FeedForwardAttention", (5,), STATES, BY_STEPS, by_row.own_scores),
    Case("Mean", (), STATES, BY_STEPS, by_row.mean),
    *(
        Case("FeedForwardNetwork", partial(network, *sizes), ROWS, {"inputs": "mask"}, by_row.network_of(equations))
        for sizes, equations in (((FeedForwardAttention, 5), by_row.own_scores), ((Mean,), by_row.mean))
    ),
    Case("AttentiveReader", (VOCAB, 3, 2), TEXTS, BY_TEXTS, by_row.reader),
    Case("SentenceEmbedding", (VOCAB, 3), {"words": QUESTION}, {"words": None}, by_row.sentence),
    Case("StoryEmbedding", (VOCAB, 3, 7), {"story": STORY[:, :2]}),
    Case("AdjacentMemoryNetwork", (VOCAB, 3, 2, 7), STORIES, PADDED, by_row.adjacent),
    Case("LayerwiseMemoryNetwork", (VOCAB, 3, 2, 7), STORIES, PADDED, by_row.layerwise),
    Case("StackRNN", (VOCAB, 6, 2, 3), {"ids": ids(STEPS)}, {}, by_row.with_stacks),
    Case("Seq2Seq", lambda: translator(Encoder(VOCAB, 3, 4)), FORCED, BY_LENGTHS),
    Case("Seq2Seq", lambda: translator(TransformerEncoder(VOCAB, 8, 2, 7)), FORCED, BY_LENGTHS),
    Case("Captioner", lambda: translator(PictureEncoder(8, 2), Captioner), {**FORCED, **PICTURES}),
    *(
        Case(kind, sizes, {name: numbers(*shape, 3), "keys": numbers(LONG, size)}, {}, equations, call)
        for kind, (sizes, size, _) in SCORERS.items()
        for name, shape, equations, call in (
            *(("query", (), by_row.scored, apply), ("queries", (STEPS,), by_row.all_scored, all_scores)),
        )
    ),
    *(  # so much padding that local attention gathers
        Case(kind.__name__, partial(make, kind, *rest), DECODED, BY_STATES, by_row.decoded, unrolled, more=40)
        for kind, *rest in PLAIN + WITH_CELLS
    ),
]
UNMOVED = {"UniformAttention": 3, "LocationAwareScorer": 2}  # passes its scorer by; has its location from a decoder
APART = {"PermutedAttention", "Decoder", "Scorer"}  # abstract; one draws, and has tests of its own


@pytest.fixture(params=CASES, ids=lambda case: case.kind)
def case(request):
    return request.param


def built(case, seed=1, **options):
    torch.manual_seed(seed)
    return randomise(case.build(**options))


def copied(given):
    return {name: part.clone() for name, part in given.items()}


def run_on(case, module, given=None):
    return tensors(case.call(module, **copied(case.given if given is None else given)))


def rows_of(given, rows):
    return {name: part[rows] for name, part in given.items()}


def row_of(case, row):
    """One row's inputs as its equations take them: without padding, and without what says where it begins."""
    given = {name: part[row] for name, part in case.given.items()}
    for name, by in case.ragged.items():
        if by is not None:
            length = int(given[by].sum()) if given[by].dtype == torch.bool else int(given[by])
            given[name] = given[name][:length]
    return {name: part for name, part in given.items() if name not in case.ragged.values()}


def widened(case):
    """The same rows with more padding, and rubbish under it where something else says that it is padding."""
    given, more = copied(case.given), case.more
    for name, by in case.ragged.items():
        part = case.given[name]
        if by is None:
            given[name] = F.pad(part, (0, more) * (part.dim() - 1))
            continue
        rubbish = numbers(more, *part.shape[2:]) if part.is_floating_point() else ids(more)
        given[name] = torch.cat([part, rubbish], dim=1)
        if case.given[by].dtype == torch.bool:
            given[by] = F.pad(case.given[by], (0, more))
    return given


def test_every_module_has_a_case():
    tried = {type(case.build()).__name__ for case in CASES}
    assert set(KINDS) - tried - APART == set(), "give these a case"
    assert len(tried & set(KINDS)) >= 60


def test_every_scorer_has_as_many_parameters_as_it_has():
    counted = {name: sum(part.numel() for part in KINDS[name](*SCORERS[name][0]).parameters()) for name in SCORERS}
    assert counted == {name: number for name, (*_, number) in SCORERS.items()}


def test_it_gives_what_its_equations_give_each_row(case):
    if case.equations is None:
        return
    module = built(case)
    outputs = run_on(case, module, widened(case))  # with gradients, where a layer has a way of its own
    module.requires_grad_(False)
    for row in range(BATCH):
        given = case.equations(module, **row_of(case, row))
        parts = given if isinstance(given, tuple) else (given,)
        expected = [torch.as_tensor(part, dtype=torch.float64) for part in parts]
        ours = [part[row].detach() for part in outputs]
        if case.keeps_padding:
            ours = [part[tuple(map(slice, each.shape))] for part, each in zip(ours, expected, strict=True)]
        assert_widened(ours, expected)


def test_the_order_and_the_size_of_the_batch_and_more_padding_change_nothing(case):
    module, order = built(case), torch.tensor([2, 0, 1])
    together = run_on(case, module)
    assert_same(run_on(case, module, rows_of(case.given, order)), [part[order] for part in together])
    assert_same(run_on(case, module, rows_of(case.given, slice(1, 2))), [part[1:2] for part in together])
    if not case.keeps_padding:
        assert_widened(run_on(case, module, widened(case)), together)


def test_gradients_are_right_and_reach_every_parameter(case):
    module, given = built(case), copied(case.given)
    floats = [part.requires_grad_() for part in given.values() if part.is_floating_point()]

    def forward(*_):
        return tuple(part for part in tensors(case.call(module, **given)) if part.requires_grad)

    arguments = [*floats, *module.parameters()]
    if forward():
        assert torch.autograd.gradcheck(forward, tuple(arguments), fast_mode=True)
        reached = zip(module.named_parameters(), gradients(forward(), arguments)[len(floats) :], strict=True)
        unmoved = [name for (name, _), part in reached if not part.any()]
        assert len(unmoved) == UNMOVED.get(case.kind, 0), unmoved


def test_a_row_without_a_real_token_gives_no_nan_and_does_not_disturb_its_neighbours(case):
    module, given = built(case), copied(case.given)
    by = [name for name in case.ragged.values() if name is not None and given[name].dtype == torch.bool]
    by += [name for name, where in case.ragged.items() if where is None]
    for name in by:
        given[name][1] = 0
    outputs = run_on(case, module, given)
    assert all(part.isfinite().all() for part in outputs)
    assert_same([part[::2] for part in outputs], [part[::2] for part in run_on(case, module)])
    floats = [part.requires_grad_() for part in given.values() if part.is_floating_point()]
    outputs = tensors(case.call(module, **given))
    if any(part.requires_grad for part in outputs):
        assert all(part.isfinite().all() for part in gradients(outputs, [*floats, *module.parameters()]))


def test_its_state_dict_carries_all_a_seed_repeats_it_and_its_inputs_stay_as_they_were(case):
    module, other, given = built(case), built(case, seed=2), copied(case.given)
    other.load_state_dict(module.state_dict())
    outputs = tensors(case.call(other, **given))
    assert all(torch.equal(*pair) for pair in zip(run_on(case, module), outputs, strict=True))
    assert all(torch.equal(part, case.given[name]) for name, part in given.items())
    first, again = (torch.manual_seed(5) and case.build().state_dict() for _ in range(2))
    assert all(torch.equal(part, again[name]) for name, part in first.items())


def test_single_precision_gives_the_same_but_for_rounding(case):
    module = built(case)
    double = run_on(case, module)
    single = {name: part.float() if part.is_floating_point() else part for name, part in case.given.items()}
    for ours, theirs in zip(run_on(case, module.float(), single), double, strict=True):
        assert ours.dtype == torch.float32
        torch.testing.assert_close(ours.double(), theirs, atol=1e-4, rtol=1e-3)


def test_dropout_acts_in_training_alone(case):
    if case.kind not in KINDS or "dropout" not in arguments_of(KINDS[case.kind], required=False):
        return
    plain, module = built(case), built(case, dropout=0.5)
    first, second = (run_on(case, module)[0] for _ in range(2))
    assert not torch.allclose(first, second)
    module.eval()
    assert_same(run_on(case, module), run_on(case, plain))


def test_cpu_and_gpu_agree(case, gpu):
    module = built(case)
    on_cpu = run_on(case, module)
    on_gpu = case.call(module.to(gpu), **{name: part.to(gpu) for name, part in case.given.items()})
    assert_same([part.cpu() for part in tensors(on_gpu)], on_cpu)
