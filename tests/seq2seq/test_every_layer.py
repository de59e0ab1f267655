"""What every layer, encoder and network of the library must do; the classes are found, so that a new one needs a case.

A case has an example and, where the module is not a composition of others here, its equations for one row without
padding: what they give must stand in the batch, whatever lies under the padding.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
import torch
from equations import (
    advance,
    attentional,
    first_state,
    heads,
    hidden_of,
    inner,
    linear,
    look,
    maxout,
    mixture,
    normed,
    place,
    softmax,
)
from small_models import arguments_of, assert_same, assert_widened, library_classes, randomise, tensors
from torch import nn
from torch.nn import functional as F

from seq2seq.attention import Attention
from seq2seq.beyond.captioning import Captioner, PictureEncoder
from seq2seq.beyond.feed_forward_attention import FeedForwardAttention, FeedForwardNetwork, Mean
from seq2seq.beyond.stack_rnn import EMPTY, POP, PUSH
from seq2seq.decoders.decoder import Decoder
from seq2seq.decoders.luong import LuongDecoder
from seq2seq.demos.altered_attention import UniformAttention
from seq2seq.encoders import Encoder
from seq2seq.layers.recurrent import CELLS, recurrent_layer
from seq2seq.model import Seq2Seq
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer
from seq2seq.transformer.model import TransformerEncoder

KINDS = {kind.__name__: kind for kind in library_classes(nn.Module) if not issubclass(kind, Decoder | Scorer)}
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


# The equations of one row: ragged inputs come without their padding, masks and lengths do not come.


def attend_once(module, query, projected_keys, values):
    scorer = module.scorer
    energies = [
        scorer.energy_layer.weight[0] @ torch.tanh(scorer.query_layer.weight @ query + k) for k in projected_keys
    ]
    weights = softmax(energies)
    return mixture(weights, values), weights


def evenly(module, query, projected_keys, values):
    return values.mean(0), [1 / len(values)] * len(values)


def run(layer, words, state):
    states = []
    for word in words:
        state = advance(layer, word, state)
        states.append(hidden_of(state))
    return states


def recurrent(layer, inputs, state):
    states = run(layer, inputs, (state, torch.zeros_like(state)) if isinstance(layer, nn.LSTM) else state)
    return torch.stack(states), states[-1]


def both_ways(encoder, source):
    words = encoder.embedding.weight[source] if source.dim() == 1 else [linear(encoder.embedding, x) for x in source]
    size = encoder.forward_rnn.hidden_size
    ways = []
    for layer, turn in ((encoder.forward_rnn, 1), (encoder.backward_rnn, -1)):
        if layer is not None:
            nothing = torch.zeros(size, dtype=torch.float64)
            start = (nothing, nothing) if isinstance(layer, nn.LSTM) else nothing
            ways.append((run(layer, list(words)[::turn], start)[::turn], turn))
    states = [torch.cat(parts) for parts in zip(*(states for states, _ in ways), strict=True)]
    return torch.stack(states), torch.cat([states[-1 if turn == 1 else 0] for states, turn in ways])


def self_attention(layer, sequence):
    parts = [[linear(each, x) for x in sequence] for each in (layer.query_layer, layer.key_layer, layer.value_layer)]
    queries, keys, values = parts
    rows = [softmax([(q @ k).item() / math.sqrt(len(q)) for k in keys]) for q in queries]
    return torch.stack([mixture(weights, values) for weights in rows]), torch.tensor(rows)


def multi_head(attention, queries, sequence):
    seen, weights = zip(*(heads(attention, query, sequence) for query in queries), strict=True)
    return torch.stack(seen), torch.tensor(weights).transpose(0, 1)


def encoder_layer(layer, words):
    plain = [normed(layer.attention_norm, word) for word in words]
    seen = [heads(layer.attention, query, plain)[0] for query in plain]
    return torch.stack([inner(layer, word + each) for word, each in zip(words, seen, strict=True)])


def transformer_encoder(encoder, source):
    table = encoder.placed_embedding.embedding.weight
    words = torch.stack([table[id] + place(t, table.size(1)) for t, id in enumerate(source)])
    for layer in encoder.layers:
        words = encoder_layer(layer, words)
    states = torch.stack([normed(encoder.norm, word) for word in words])
    return states, states.mean(0)


def word_encoder(encoder, source):
    words = [encoder.embedding.weight[id] for id in source]
    return torch.stack(words), sum(words) / len(words)


def convolutional_encoder(encoder, source):
    states, _ = word_encoder(encoder, source)
    features = list(states)
    for layer in encoder.convolutions:
        width = layer.weight.size(2) // 2
        convolved = []
        for i in range(len(features)):
            near = [k for k in range(-width, width + 1) if 0 <= i + k < len(features)]
            convolved.append(layer.bias + sum(layer.weight[:, :, k + width] @ features[i + k] for k in near))
        pairs = [convolved[i : i + 2] for i in range(0, len(convolved), 2)]
        features = [torch.tanh(torch.stack(pair).amax(0)) for pair in pairs]
    return states, torch.stack(features).amax(0)


def own_scores(attention, states):
    weights = softmax([torch.tanh(linear(attention.score_layer, state)).item() for state in states])
    return mixture(weights, states), weights


def mean(_, states):
    return evenly(None, None, None, states)


def network_of(pool):
    def outputs(network, inputs):
        def layer(linear_layer, vector):
            return torch.stack([value if value > 0 else 0.01 * value for value in linear(linear_layer, vector)])

        context, weights = pool(network.pooling, torch.stack([layer(network.input_layer, each) for each in inputs]))
        return layer(network.output_layer, layer(network.hidden_layer, context))[0], weights

    return outputs


def reader(network, text, question):
    states, _ = both_ways(network.text_encoder, text)
    _, query = both_ways(network.question_encoder, question)
    weights, context = look(network.attention.scorer, query, states)
    joint = torch.tanh(linear(network.text_layer, context) + linear(network.question_layer, query))
    return linear(network.answer_layer, joint), weights


def sentence(embedding, words):
    words = [word for word in words.tolist() if word]
    vector = torch.zeros(embedding.words.embedding_dim, dtype=torch.float64)
    for j, word in enumerate(words, start=1):
        for k in range(1, len(vector) + 1):
            weight = (1 - j / len(words)) - (k / len(vector)) * (1 - 2 * j / len(words))
            vector[k - 1] += weight * embedding.words.weight[word, k - 1]
    return vector


def sentences(embedding, story):
    told = [words for words in story if words.any()]
    return torch.stack(
        [
            sentence(embedding.sentence, words) + embedding.times.weight[len(told) - 1 - i]
            for i, words in enumerate(told)
        ]
    )


def hops(query, memories, between=lambda query: query):
    rows = []
    for keys, values in memories:
        weights = softmax([(query @ key).item() for key in keys])
        query = between(query) + mixture(weights, values)
        rows.append(weights)
    return query, torch.tensor(rows)


def adjacent(network, story, question):
    memories = [sentences(embedding, story) for embedding in network.stories]
    first = sentence(network.stories[0].sentence, question)
    query, weights = hops(first, itertools.pairwise(memories))
    return network.stories[-1].sentence.words.weight @ query, weights


def layerwise(network, story, question):
    memory = sentences(network.keys, story), sentences(network.values, story)
    first = sentence(network.question, question)
    query, weights = hops(first, [memory] * network.hops, lambda query: network.between.weight @ query)
    return network.output_layer.weight @ query, weights


def with_stacks(network, ids):
    hidden, logits, actions = torch.zeros(network.hidden_size, dtype=torch.float64), [], []
    stacks = [[EMPTY] * (len(ids) + network.top) for _ in range(network.stacks)]
    for id in ids:
        seen = torch.tensor([value for stack in stacks for value in stack[: network.top]], dtype=torch.float64)
        from_past = linear(network.recurrent, hidden) + linear(network.from_stack, seen)
        hidden = torch.sigmoid(network.input_table.weight[id] + from_past)
        scores, values = linear(network.action_layer, hidden), torch.sigmoid(linear(network.value_layer, hidden))
        shares = [softmax(scores[2 * s : 2 * s + 2]) for s in range(network.stacks)]
        for s, stack in enumerate(stacks):
            over, under = [values[s].item(), *stack[:-1]], [*stack[1:], EMPTY]
            stacks[s] = [shares[s][PUSH] * a + shares[s][POP] * b for a, b in zip(over, under, strict=True)]
        logits.append(linear(network.output_layer, hidden))
        actions.append(shares)
    return torch.stack(logits), torch.tensor(actions)


def centres(predictor, hidden, source):
    raised = [predictor.position_layer.weight[0] @ torch.tanh(predictor.hidden_layer.weight @ h) for h in hidden]
    return torch.stack([len(source) / (1 + torch.exp(-each)) for each in raised])


def luong_step(step, embedded, state, values, fed=None):
    state = advance(step.cell, embedded if fed is None else torch.cat([embedded, fed]), state)
    weights, context = look(step.scorer, state, values)
    return attentional(step, context, state), weights, state


def luong_unroll(unroll, embedded, state, values):
    states, _ = recurrent(unroll.rnn, embedded, state)
    looks = [look(unroll.scorer, state, values) for state in states]
    combined = [attentional(unroll, context, state) for (_, context), state in zip(looks, states, strict=True)]
    return torch.stack(combined), torch.tensor([weights for weights, _ in looks])


def bahdanau_step(step, embedded, state, values):
    weights, context = look(step.scorer, state, values)
    return advance(step.cell, torch.cat([embedded, context]), state), context, weights


@dataclass
class Case:
    kind: str  # of module
    sizes: tuple | Callable  # or what builds it
    given: dict  # by name
    ragged: dict = field(
        default_factory=dict
    )  # inputs with padding on axis 1, and the input that says where it begins; None: PAD itself
    equations: Callable | None = None  # None: composed of other modules, or held against its oracle in its own file
    call: Callable = lambda module, **given: module(**given)
    keeps_padding: bool = False  # what stands at padding has an output, which means nothing
    options: dict = field(default_factory=dict)

    def build(self, **options):
        return self.sizes() if callable(self.sizes) else KINDS[self.kind](*self.sizes, **self.options, **options)


def with_keys(step, values, source_mask, **given):
    return step(**given, projected_keys=step.project_keys(values), values=values, source_mask=source_mask)


def layer_first(module, inputs, state):
    """The state of a recurrent layer is (1, batch, size), and an LSTM's is a pair."""
    state = state.unsqueeze(0)
    states, last = module(inputs, (state, torch.zeros_like(state)) if isinstance(module, nn.LSTM) else state)
    return states, hidden_of(last).squeeze(0)


LOOK = {"query": numbers(4), "projected_keys": numbers(LONG, 7), "values": numbers(LONG, 5), "source_mask": MASK}
RAGGED_LOOK = {"projected_keys": "source_mask", "values": "source_mask"}
VALUES, BY_MASK = {"values": numbers(LONG, 5), "source_mask": MASK}, {"values": "source_mask"}
SENTENCES, BY_LENGTHS = {"source": ids(LONG), "source_lengths": LENGTHS}, {"source": "source_lengths"}
STATES, BY_STEPS = {"states": numbers(LONG, 5), "mask": MASK}, {"states": "mask"}
STEP = {"embedded": numbers(3), "state": numbers(4), **VALUES}
READ = {"state": numbers(4), "embedded": numbers(3), "context": numbers(5)}
TEXTS = {"text": ids(LONG), "text_lengths": LENGTHS, "question": ids(3), "question_lengths": torch.tensor([2, 1, 3])}
TOLD, PADDED = {"story": STORY, "question": QUESTION}, {"story": None, "question": None}
SUMMARY, ONE_STEP = {"summary": numbers(5)}, {"inputs": numbers(3), "state": numbers(4)}
SEVERAL_STEPS = {"inputs": numbers(STEPS, 3), "state": numbers(4)}
SEQUENCE = {"sequence": numbers(LONG, 5), "visible": MASK.unsqueeze(1)}
BY_VISIBLE = {"sequence": "visible"}


def translator(build=Encoder, *sizes):
    return Seq2Seq(build(VOCAB, *sizes), LuongDecoder(VOCAB, 3, 6, 8, BilinearScorer(6, 8)))


def decoder_layer(layer, words, keys, values, source, visible):
    projected = layer.source_attention.project_keys(source)
    return layer(words, keys, values, CAUSAL, *projected, visible)


CASES = [
    Case("Attention", lambda: Attention(AdditiveScorer(4, 5, 7)), LOOK, RAGGED_LOOK, attend_once),
    Case("UniformAttention", lambda: UniformAttention(AdditiveScorer(4, 5, 7)), LOOK, RAGGED_LOOK, evenly),
    Case("Bridge", (5, 4), SUMMARY, {}, first_state, lambda layer, summary: layer(summary)[0]),
    Case("Bridge", (5, 4, "lstm"), SUMMARY, {}, first_state, lambda layer, summary: [x[0] for x in layer(summary)]),
    Case("MaxoutReadout", (4, 3, 5, 6), READ, {}, lambda readout, **parts: maxout(readout, *parts.values())),
    Case("Concatenation", (), READ, {}, lambda _, state, embedded, context: torch.cat([state, context, embedded])),
    *(
        Case("Encoder", (VOCAB, 3, 5), SENTENCES, BY_LENGTHS, both_ways, options=options)
        for options in ({"bidirectional": False}, *({"cell": cell} for cell in CELLS))
    ),
    Case("FrameEncoder", (4, 3, 5), {**SENTENCES, "source": numbers(LONG, 4)}, BY_LENGTHS, both_ways),
    Case("TransformerEncoder", (VOCAB, 6, 3, 7), SENTENCES, BY_LENGTHS, transformer_encoder),
    Case("WordEncoder", (VOCAB, 4), SENTENCES, BY_LENGTHS, word_encoder),
    Case("ConvolutionalEncoder", (VOCAB, 4, 3, 1), SENTENCES, BY_LENGTHS, convolutional_encoder),
    Case("PictureEncoder", (4, 2), {"pictures": numbers(3, 42, 42).sigmoid()}),
    Case("PaperGruCell", (3, 4), ONE_STEP, {}, advance),
    *(
        Case(cell, lambda cell=cell: recurrent_layer(cell, 3, 4), SEVERAL_STEPS, {}, recurrent, layer_first)
        for cell in CELLS
    ),
    Case("FirstState", (6, 4), {"final": numbers(6)}, {}, lambda m, final: torch.tanh(linear(m.layer, final[3:]))),
    Case("BahdanauStep", (3, 4, 5, 7), STEP, BY_MASK, bahdanau_step, with_keys),
    Case(
        "AttentionalLayer",
        (5, 4),
        {"context": numbers(5), "hidden": numbers(4)},
        {},
        lambda module, context, hidden: torch.tanh(module.layer.weight @ torch.cat([context, hidden])),
    ),
    Case("LuongStep", (3, 4, 5), STEP, BY_MASK, luong_step, with_keys),
    Case("InputFeedingStep", (3, 4, 5), {**STEP, "fed": numbers(4)}, BY_MASK, luong_step, with_keys),
    Case("LuongUnroll", (3, 4, 5), {**STEP, "embedded": numbers(STEPS, 3)}, BY_MASK, luong_unroll),
    Case(
        "CentrePredictor",
        (4, 7),
        {"hidden": numbers(STEPS, 4), "source": numbers(LONG, 1), "source_mask": MASK},
        {"source": "source_mask"},
        centres,
        lambda predictor, hidden, source, source_mask: predictor(hidden, source_mask),
    ),
    Case("SelfAttention", (5, 6, 7), SEQUENCE, BY_VISIBLE, self_attention, keeps_padding=True),
    Case("MultiHeadAttention", (12, 3, 5), {"queries": numbers(STEPS, 12), **SEQUENCE}, BY_VISIBLE, multi_head),
    Case(
        "PlacedEmbedding",
        (VOCAB, 6),
        {"ids": ids(STEPS)},
        {},
        lambda module, ids: torch.stack([module.embedding.weight[id] + place(2 + t, 6) for t, id in enumerate(ids)]),
        lambda module, ids: module(ids, first=2),
    ),
    Case(
        "FeedForward",
        (5, 7),
        {"input": numbers(5)},
        {},
        lambda module, input: linear(module[2], linear(module[0], input).clamp(min=0)),
    ),
    Case(
        "EncoderLayer",
        (6, 3, 7),
        {"words": numbers(LONG, 6), "visible": MASK.unsqueeze(1)},
        {"words": "visible"},
        encoder_layer,
        keeps_padding=True,
    ),
    Case(
        "DecoderLayer",
        (6, 5, 3, 7),
        {
            **{"words": numbers(STEPS, 6), "keys": numbers(2, 6), "values": numbers(2, 6)},
            **{"source": numbers(LONG, 5), "visible": MASK.unsqueeze(1)},
        },
        {"source": "visible"},
        call=decoder_layer,
    ),
    Case("FeedForwardAttention", (5,), STATES, BY_STEPS, own_scores),
    Case("Mean", (), STATES, BY_STEPS, mean),
    *(
        Case(
            "FeedForwardNetwork",
            lambda pool=pool: FeedForwardNetwork(pool(), 2, 5),
            {"inputs": numbers(LONG, 2), "mask": MASK},
            {"inputs": "mask"},
            network_of(equations),
        )
        for pool, equations in ((lambda: FeedForwardAttention(5), own_scores), (Mean, mean))
    ),
    Case("AttentiveReader", (VOCAB, 3, 2), TEXTS, {"text": "text_lengths", "question": "question_lengths"}, reader),
    Case("SentenceEmbedding", (VOCAB, 3), {"words": QUESTION}, {"words": None}, sentence),
    Case("StoryEmbedding", (VOCAB, 3, 7), {"story": STORY[:, :2]}),
    Case("AdjacentMemoryNetwork", (VOCAB, 3, 2, 7), TOLD, PADDED, adjacent),
    Case("LayerwiseMemoryNetwork", (VOCAB, 3, 2, 7), TOLD, PADDED, layerwise),
    Case("StackRNN", (VOCAB, 6, 2, 3), {"ids": ids(STEPS)}, {}, with_stacks),
    Case("Seq2Seq", lambda: translator(Encoder, 3, 4), {**SENTENCES, "target_in": ids(STEPS)}, BY_LENGTHS),
    Case(
        "Seq2Seq", lambda: translator(TransformerEncoder, 8, 2, 7), {**SENTENCES, "target_in": ids(STEPS)}, BY_LENGTHS
    ),
    Case(
        "Captioner",
        lambda: Captioner(PictureEncoder(8, 2), LuongDecoder(VOCAB, 3, 6, 8, BilinearScorer(6, 8))),
        {"source": numbers(3, 42, 42).sigmoid(), "source_lengths": LENGTHS, "target_in": ids(STEPS)},
    ),
]
APART = {"AlteredAttention", "PermutedAttention"}  # abstract; draws, so that it has a file of its own


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


def widened(case, more=2):
    """The same rows with more padding, and rubbish under it where something else says that it is padding."""
    given = copied(case.given)
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


def gradients(outputs, inputs):
    read = sum(part.sin().sum() for part in outputs if part.requires_grad)
    return torch.autograd.grad(read, inputs, allow_unused=True)


def test_every_module_has_a_case():
    tried = {type(case.build()).__name__ for case in CASES}
    assert set(KINDS) - tried - APART - {"Decoder", "Scorer"} == set(), "give these a case"
    assert len(tried & set(KINDS)) >= 35


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
            ours = [cut(part, each.shape) for part, each in zip(ours, expected, strict=True)]
        assert_widened(ours, expected)


def cut(part, shape):
    return part[tuple(slice(size) for size in shape)]


def test_the_order_and_the_size_of_the_batch_change_nothing(case):
    module, order = built(case), torch.tensor([2, 0, 1])
    together = run_on(case, module)
    assert_same(run_on(case, module, rows_of(case.given, order)), [part[order] for part in together])
    assert_same(run_on(case, module, rows_of(case.given, slice(1, 2))), [part[1:2] for part in together])


def test_gradients_are_right_and_reach_every_parameter(case):
    module, given = built(case), copied(case.given)
    floats = [part.requires_grad_() for part in given.values() if part.is_floating_point()]

    def forward(*_):
        return tuple(part for part in tensors(case.call(module, **given)) if part.requires_grad)

    arguments = [*floats, *module.parameters()]
    if forward():
        assert torch.autograd.gradcheck(forward, tuple(arguments), fast_mode=True)
        reached = dict(
            zip(dict(module.named_parameters()), gradients(forward(), arguments)[len(floats) :], strict=True)
        )
        assert [name for name, part in reached.items() if part is None or not part.any()] == untouched(module)


def untouched(module):
    """Parameters without a part in the results: a scorer that is passed by, layers that only project keys."""
    if isinstance(module, UniformAttention):
        return [name for name, _ in module.named_parameters()]
    return ["scorer.key_layer.weight"] if isinstance(module, Attention) else []


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
        found = gradients(outputs, [*floats, *module.parameters()])
        assert all(part.isfinite().all() for part in found if part is not None)


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


@pytest.mark.cuda
def test_cpu_and_gpu_agree(case):
    module = built(case)
    here = run_on(case, module)
    there = case.call(module.cuda(), **{name: part.cuda() for name, part in case.given.items()})
    assert_same([part.cpu() for part in tensors(there)], here)
