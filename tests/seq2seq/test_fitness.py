"""A loop with its backward pass written out stands for modules that are unchanged alone; plain loops spare work."""

import pytest
import torch
from small_models import bahdanau, feeding, gradients, luong, randomise
from torch import nn
from torch.nn.utils import prune  # noqa: F401  which torch.nn.utils does not import itself

from seq2seq.beam.search import beam_search, rescore
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.decoder import Memory, computes_as_written
from seq2seq.decoders.hard import HardAttentionDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.decoders.orders import AppendixDecoder
from seq2seq.encoders import Encoder
from seq2seq.exercises.bahdanau import unroll
from seq2seq.exercises.luong import unroll_feeding
from seq2seq.exercises.toy_steps import FeedingToyStep, ToyStep
from seq2seq.layers.bahdanau_steps import BahdanauSteps
from seq2seq.layers.feeding_steps import FeedingSteps
from seq2seq.layers.paper_gru import PaperGruCell
from seq2seq.model import Seq2Seq
from seq2seq.scorer import Scorer
from seq2seq.scorers import AdditiveScorer, BilinearScorer, DotScorer, ScaledDotScorer

HOOKS = ("forward", "forward_pre", "full_backward", "full_backward_pre")


def test_only_the_class_itself_unchanged_computes_as_written():
    assert computes_as_written(DotScorer(), (ScaledDotScorer, DotScorer))
    assert computes_as_written(nn.GRUCell(2, 3), nn.GRUCell, "weight_ih", "weight_hh", "bias_ih", "bias_hh")
    assert not computes_as_written(nn.Linear(2, 3), nn.Linear, "weight")
    named = type("Named", (DotScorer,), {"name": "mine", "described": lambda self: self.name})
    altered = DotScorer()
    altered.score = lambda query, projected_keys: projected_keys.sum(-1)
    others = named(), nn.Linear(2, 3), ScaledDotScorer(), altered
    assert [computes_as_written(other, DotScorer) for other in others] == [False] * 4


@pytest.mark.parametrize("register", [f"register_{when}_hook" for when in HOOKS])
def test_a_hook_is_not_passed_by(register):
    scorer = DotScorer()
    handle = getattr(scorer, register)(lambda *arguments: None)
    assert not computes_as_written(scorer, DotScorer)
    handle.remove()
    assert computes_as_written(scorer, DotScorer)


class Adapted(nn.Linear):
    """A layer with a correction, such as a low-rank one."""

    def forward(self, inputs):
        return super().forward(inputs) + inputs.sum(-1, keepdim=True)


class OtherCell(nn.GRUCell):
    def forward(self, inputs, state=None):
        return super().forward(inputs, state).tanh()


def biased(layer):
    return nn.Linear(layer.in_features, layer.out_features)


def adapted(layer):
    return Adapted(layer.in_features, layer.out_features, bias=False)


def with_cell(kind, **options):
    return lambda decoder: setattr(decoder, "cell", kind(13, 8, **options))


def with_layer(path, change):
    def place(decoder):
        owner, _, name = path.rpartition(".")
        setattr(decoder.get_submodule(owner), name, change(decoder.get_submodule(path)))

    return place


def normed(path):
    return lambda decoder: nn.utils.parametrizations.weight_norm(decoder.get_submodule(path))


def pruned(path):
    return lambda decoder: nn.utils.prune.random_unstructured(decoder.get_submodule(path), "weight", 0.5)


def with_method(name, change):
    def place(decoder):
        old = getattr(decoder, name)
        decoder.__class__ = type("Heir", (type(decoder),), {name: lambda decoder, *given: change(old, *given)})

    return place


QUERY, ENERGY = "attention.scorer.query_layer", "attention.scorer.energy_layer"
ALTERED = {
    BahdanauDecoder: [
        *(with_layer(path, change) for path in (QUERY, ENERGY) for change in (adapted, biased)),
        *(change(path) for path in (QUERY, ENERGY) for change in (normed, pruned)),
        *(with_cell(OtherCell), with_cell(nn.GRUCell, bias=False), with_cell(PaperGruCell)),
    ],
    AppendixDecoder: [with_cell(nn.GRUCell)],
    InputFeedingDecoder: [
        *(with_layer("attentional_layer", change) for change in (adapted, biased)),
        *(normed("attentional_layer"), pruned("attentional_layer")),
        with_layer("rnn", lambda rnn: nn.LSTM(13, 8, bias=False, batch_first=True)),
        with_method("attentional", lambda old, context, hidden: old(context, hidden).relu()),
        with_method("_feed", lambda old, embedded, state, memory: old(0 * embedded, state, memory)),
    ],
}


@pytest.mark.parametrize(("kind", "change"), [(kind, change) for kind, row in ALTERED.items() for change in row])
def test_an_altered_part_counts_in_an_unroll_as_in_a_step_and_gets_its_gradient(kind, change):
    last = (DotScorer(), "lstm") if kind is InputFeedingDecoder else (AdditiveScorer(8, 8, 3),)
    decoder = kind(11, 5, 8, 8, *last)
    change(decoder)
    randomise(decoder)
    states, mask = torch.randn(2, 7, 8, dtype=torch.float64), torch.arange(7) < torch.tensor([[7], [4]])
    target, steps = torch.randint(4, 11, (2, 3)), []
    memory, state = decoder.start(states, states[:, 0], mask)
    logits, _ = decoder.unroll(target, state, memory)
    memory, state = decoder.start(states, states[:, 0], mask)
    for previous in target.unbind(1):
        step, _, state = decoder.step(previous, state, memory)
        steps.append(step)
    looped, parameters = torch.stack(steps, 1), list(decoder.parameters())
    torch.testing.assert_close(logits, looped)
    torch.testing.assert_close(*(gradients(result, parameters) for result in (logits, looped)))


@pytest.mark.parametrize("change", [adapted, biased, nn.utils.parametrizations.weight_norm])
def test_what_a_position_gives_is_what_the_attentional_layer_makes_of_it(change):
    decoder = HardAttentionDecoder(11, 5, 8, 8, DotScorer())
    decoder.attentional_layer = change(decoder.attentional_layer)
    randomise(decoder)
    states, mask = torch.randn(2, 7, 8, dtype=torch.float64), torch.arange(7) < torch.tensor([[7], [4]])
    hidden, memory = torch.randn(2, 3, 8, dtype=torch.float64), Memory(states, states, mask)
    every = decoder.every_position(hidden, memory)
    expected = decoder.attentional(states[:, 2:3].expand(-1, 3, -1), hidden)
    torch.testing.assert_close(every[:, :, 2], expected)
    some = decoder.some_positions(torch.full((2, 3, 2), 2), hidden, memory)
    torch.testing.assert_close(some[:, :, 1], expected)


@pytest.mark.parametrize("register", [f"register_{when}_hook" for when in HOOKS])
@pytest.mark.parametrize("path", [QUERY, ENERGY, "cell", "attentional_layer"])
def test_a_hook_on_any_part_is_called_in_an_unroll(path, register):
    feeds = path == "attentional_layer"
    last = (DotScorer(), "lstm") if feeds else (AdditiveScorer(8, 8, 3),)
    decoder, calls = (InputFeedingDecoder if feeds else BahdanauDecoder)(11, 5, 8, 8, *last), []
    getattr(decoder.get_submodule(path), register)(lambda *given: calls.append(1))
    states = torch.randn(2, 7, 8)
    memory, state = decoder.start(states, states[:, 0], torch.ones(2, 7, dtype=torch.bool))
    decoder.unroll(torch.randint(4, 11, (2, 3)), state, memory)[0].sum().backward()
    assert calls == [1, 1, 1]


@pytest.mark.parametrize("scorer", [DotScorer, ScaledDotScorer, BilinearScorer])
def test_a_score_of_its_own_counts_for_many_queries_too(scorer):
    heir = type("Heir", (scorer,), {"score": lambda *given: 3 * scorer.score(*given)})
    kept = type("Kept", (scorer,), {"score": heir.score, "score_all": scorer.score_all})
    sizes = (8, 8) if scorer is BilinearScorer else ()
    queries, keys = torch.randn(2, 3, 8), torch.randn(2, 5, 8)
    one_by_one = torch.stack([heir(*sizes).score(query, keys) for query in queries.unbind(1)], 1)
    torch.testing.assert_close(heir(*sizes).score_all(queries, keys), one_by_one)
    torch.testing.assert_close(3 * kept(*sizes).score_all(queries, keys), one_by_one)


class Distance(Scorer):
    """Written by the interface alone: one query for each sentence."""

    def score(self, query, projected_keys):
        return -(query.unsqueeze(1) - projected_keys).abs().sum(-1)


@pytest.mark.parametrize("decoder", [BahdanauDecoder, LuongDecoder, InputFeedingDecoder])
def test_a_scorer_of_one_query_serves_every_decoder(decoder):
    model = Seq2Seq(Encoder(11, 5, 4), decoder(11, 5, 8, 8, Distance())).double()
    source, lengths = torch.randint(4, 11, (2, 5)), torch.tensor([5, 3])
    hypotheses = beam_search(model, source, lengths, 4, beam_size=3, n_best=3)
    again = rescore(model, source, lengths, hypotheses.ids, hypotheses.lengths)
    torch.testing.assert_close(again, hypotheses.log_probabilities)


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


@pytest.mark.parametrize("make", [luong, bahdanau, feeding])
def test_a_second_derivative_is_refused_by_a_loop_that_has_none_and_the_first_is_right(make):
    model, target = make(), torch.ones(2, 3, dtype=torch.long)
    table = model.encoder.embedding.weight if make is luong else model.decoder.embedding.weight

    def gradient(**how):
        logits, _ = model(torch.tensor([[4, 5, 6], [7, 8, 0]]), torch.tensor([3, 2]), target)
        return torch.autograd.grad(logits.square().sum(), table, **how)[0]

    once = gradient(create_graph=True)
    assert torch.equal(once, gradient())
    with pytest.raises(RuntimeError, match=r"second derivative: asked for.*has none; put nn.GRU"):
        torch.autograd.grad(once.square().sum(), table)


@pytest.mark.filterwarnings("ignore")  # PyTorch's, about its own layers
@pytest.mark.parametrize("make", [luong, bahdanau, feeding])
def test_a_model_can_be_traced_transformed_and_run_without_numbers(make):
    model, given = make(), (torch.tensor([[4, 5, 6], [7, 8, 0]]), torch.tensor([3, 2]), torch.tensor([[1, 4], [1, 6]]))
    logits, _ = model(*given)
    name, table = "decoder.embedding.weight", model.decoder.embedding.weight
    torch.testing.assert_close(torch.export.export(model, given, strict=False).module()(*given)[0], logits)
    by_func = torch.func.grad(lambda value: torch.func.functional_call(model, {name: value}, given)[0].square().sum())
    torch.testing.assert_close(by_func(table.detach()), torch.autograd.grad(logits.square().sum(), table)[0])
    assert model.to("meta")(*(part.to("meta") for part in given))[0].shape == logits.shape


@pytest.mark.filterwarnings("ignore")
def test_a_compiled_model_computes_the_same():
    model, given = bahdanau(), (torch.tensor([[4, 5, 6]]), torch.tensor([3]), torch.tensor([[1, 4]]))
    torch.testing.assert_close(torch.compile(model, backend="eager")(*given), model(*given))


@pytest.mark.parametrize(("kind", "way"), [(ToyStep, unroll), (FeedingToyStep, unroll_feeding)])
def test_keys_are_projected_once(kind, way):
    step = kind(3, 4, 6)
    way(step, torch.randn(2, 7, 3), torch.randn(2, 4), torch.randn(2, 5, 6), torch.ones(2, 5, dtype=torch.bool))
    assert int(step.projections) == 1
