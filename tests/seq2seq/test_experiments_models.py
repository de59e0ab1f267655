"""The models of the experiments, their centres and their costs: what differs between variants, and what is measured."""

import json
import re

import pytest
import torch
from equations import window_weights

from seq2seq.batch import collate
from seq2seq.corpora.pair import Pair
from seq2seq.corpora.toys import reverse
from seq2seq.decoders.bahdanau import BahdanauDecoder
from seq2seq.decoders.local import LocalMonotonicDecoder, LocalPredictiveDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.encoders import Encoder
from seq2seq.experiments import (
    centres,
    forming,
    improper,
    local_attention,
    reverse_task,
    scheduled_sampling,
    scorer_cost,
    soft_hard,
    wirings,
)
from seq2seq.experiments.local_cost import KINDS, SCORERS, contexts, measure
from seq2seq.experiments.recipe import RESULTS
from seq2seq.experiments.scorers import WithoutTanh, movement
from seq2seq.experiments.study import Data
from seq2seq.experiments.trained import parameters
from seq2seq.losses.scheduled_sampling import ScheduledSampling
from seq2seq.model import Seq2Seq
from seq2seq.scorers import AdditiveScorer
from seq2seq.training import forced_loss
from seq2seq.vocab import EOS, PAD, Vocabulary

PAIR = Pair(tuple("abcdefgh"), tuple("uvw"), frozenset({(0, 0), (2, 0), (7, 2)}))  # v has no link
FLOAT = 4  # bytes
PAIRS = [
    Pair(tuple("abcd"), tuple("uv"), frozenset({(0, 0), (2, 1), (3, 1)})),
    Pair(tuple("ab"), tuple("u"), frozenset({(1, 0)})),
]


@pytest.fixture
def data():
    pairs = [PAIR, Pair(tuple("ab"), tuple("uv"), frozenset({(0, 0), (1, 1)}))]
    return Data(pairs, {"2-8": pairs}, Vocabulary(tuple("abcdefgh")), Vocabulary(tuple("uvw")))


def build(study, name, data):
    return study.models[name].build(len(data.source_vocab), len(data.target_vocab))


def result(name):
    return json.loads((RESULTS / f"{name}.json").read_text())


def test_variants_are_what_their_names_say(data):
    """The decoder, the direction, the scorer, the loss, the number of weights."""
    decoders = {"global": LuongDecoder, "local_m": LocalMonotonicDecoder, "local_p": LocalPredictiveDecoder}
    for name, kind in (*decoders.items(), ("local_p_wide", LocalPredictiveDecoder)):
        assert type(build(local_attention.LOCAL_ATTENTION, name, data).decoder) is kind, name
    decoders = {"bahdanau": BahdanauDecoder, "feeding": InputFeedingDecoder, "luong": LuongDecoder, None: LuongDecoder}
    for name, make in (*wirings.BUILDS.items(), *wirings.BY_DIRECTION.items()):
        model = make(20, 30)
        wiring, scorer = re.fullmatch(r"(?:one_way_)?(?:(bahdanau|feeding|luong)_)?(\w+)", name).groups()
        assert (model.encoder.backward_rnn is None) == name.startswith("one_way"), name
        assert model.encoder.state_size == 128, name
        assert type(model.decoder) is decoders[wiring], name
        assert type(model.decoder.attention.scorer) is type(wirings.SCORERS[scorer]()), name
    losses = {name: variant.loss for name, variant in scheduled_sampling.SCHEDULED_SAMPLING.models.items()}
    forced = {name for name, loss in losses.items() if loss is forced_loss}
    assert forced == {"teacher_forcing", "teacher_forcing_same_steps"}
    assert sum(isinstance(loss, ScheduledSampling) for loss in losses.values()) == 1
    assert all(
        type(build(scheduled_sampling.SCHEDULED_SAMPLING, name, data).decoder) is InputFeedingDecoder for name in losses
    )
    assert len({parameters(variant.build(20, 30)) for variant in soft_hard.SOFT_HARD.models.values()}) == 1


def test_the_accuracies_are_shares_and_the_gold_one_is_the_forced_one(data):
    model = build(scheduled_sampling.SCHEDULED_SAMPLING, "linear", data)
    measured = scheduled_sampling.measure(model, data)
    batch = collate(data.training, data.source_vocab, data.target_vocab)
    logits, _ = model(batch.source, batch.source_lengths, batch.target_in)
    hits = (logits.argmax(-1) == batch.target_out)[batch.target_mask].float().mean()
    assert measured["gold_words_accuracy"]["2-8"] == pytest.approx(hits.item(), abs=1e-4)
    assert 0 <= measured["own_words_accuracy"]["2-8"] <= 1


def test_a_look_counts_only_while_words_are_said():
    weights = torch.tensor([[[0.9, 0.1], [0.8, 0.2], [0.0, 1.0], [0.5, 0.5]]])
    ids = torch.tensor([[7, 8, EOS, PAD]])
    torch.testing.assert_close(reverse_task.looks(weights, ids), torch.tensor([[1.7, 0.3]]))


def test_the_mixture_is_right_for_gold_words_alone_and_deaf_for_none():
    uniform = [0.25] * 4
    assert improper.divergence(uniform, improper.predicted(1.0, 0.85), 0.85) == pytest.approx(0.0)
    assert improper.predicted(0.0, 0.85)["a"] == pytest.approx(uniform)
    assert improper.predicted(0.5, 0.85)["b"][1] == pytest.approx(0.55)


def test_centres_of_local_attention(data):
    """The gold one is the mean of the linked positions; local-m's are the target's own; local-p's in the sentence."""
    assert local_attention.gold_centres(PAIR) == {0: 1.0, 2: 7.0}
    distances = local_attention.distances(torch.tensor([[2.0, 9.0, 1.0, 0.0]]), [PAIR], 5)
    assert distances == {"mean_distance": 3.5, "links_in_window": 0.6667}
    monotone = build(local_attention.LOCAL_ATTENTION, "local_m", data)
    assert local_attention.centres(monotone, data.training, data).tolist() == [[0, 1, 2, 3]] * 2
    predictive = build(local_attention.LOCAL_ATTENTION, "local_p", data)
    predicted = local_attention.centres(predictive, data.training, data)
    assert predicted.shape == (2, 4)
    assert (predicted > 0).all()
    assert (predicted < torch.tensor([[8], [2]])).all()
    assert list(local_attention.measure(predictive, data)["centres"]) == ["2-8"]
    assert local_attention.measure(build(local_attention.LOCAL_ATTENTION, "global", data), data) == {}


@pytest.fixture
def looked_at():
    return Data(PAIRS, dict.fromkeys(centres.BUCKETS, PAIRS), Vocabulary(tuple("abcd")), Vocabulary(tuple("uv")))


@pytest.fixture
def local_p(looked_at):
    return centres.PREDICTIVE.build(len(looked_at.source_vocab), len(looked_at.target_vocab))


def always(rows):
    return lambda model, pairs, data: torch.tensor(rows[: len(pairs)])


def test_a_look_counts_the_centres_at_either_end(looked_at, local_p, monkeypatch):
    rows = torch.tensor([[1.0, 2.0, 3.0], [1.0, 2.0, 9.0]])  # three target tokens with EOS, and two
    assert centres.shares(rows, PAIRS, looked_at).tolist() == [0.25, 0.5, 0.75, 0.5, 1.0]
    monkeypatch.setattr(centres, "centres", always([[0.0, 2.5, 4.0], [2.0, 1.0, 9.0]]))
    look = centres.look(local_p, looked_at)
    assert list(look) == list(centres.BUCKETS)
    assert look["4-10"]["at_the_start"] == pytest.approx(1 / 5)
    assert look["4-10"]["at_the_end"] == pytest.approx(2 / 5)
    assert look["4-10"]["mean_distance"] == pytest.approx((0 + 0 + 1) / 3, abs=1e-3)
    assert local_p.training


def test_a_trace_sets_found_centres_beside_gold_ones(looked_at, local_p, monkeypatch):
    monkeypatch.setattr(centres, "centres", always([[0.0, 2.126, 4.0]]))
    traced = centres.trace(local_p, PAIRS[0], looked_at)
    assert traced == {"source_words": 4, "centres": [0.0, 2.13], "gold": [(0, 0.0), (1, 2.5)]}


def test_right_words_are_those_of_the_links_and_some_links_cross():
    assert [centres.right_words(pair) for pair in PAIRS] == [[[0], [2, 3]], [[1]]]
    for links, crossed in [
        *(({(0, 0), (1, 1)}, False), ({(0, 0), (0, 1), (1, 1)}, False)),
        *(({(1, 0), (0, 1)}, True), ({(0, 0), (2, 1), (1, 2)}, True)),
    ]:
        assert centres.crosses(Pair(tuple("abc"), tuple("uvw"), frozenset(links))) is crossed, links


def on_the_right_words(window, half_width):
    """The share of the window's weights that lies on the right words, step by step."""
    steps = zip(window["scores"], window["centres"], window["right"], strict=True)
    weights = [(window_weights(scores, centre, half_width, True), right) for scores, centre, right in steps]
    return [sum(row[position] for position in right) for row, right in weights]


def test_a_window_holds_what_the_model_s_weights_are_made_of(looked_at, local_p):
    local_p.eval()
    window = centres.window(local_p, PAIRS[0], looked_at)
    assert (window["source"], window["target"], window["right"]) == (list("abcd"), list("uv"), [[0], [2, 3]])
    on_right = on_the_right_words(window, local_p.decoder.half_width)
    assert window["on_right"] == pytest.approx(on_right, abs=0.01)
    assert centres.mean_on_right(local_p, PAIRS[:1], looked_at) == pytest.approx(sum(on_right) / 2, abs=0.01)


def test_the_committed_windows_give_the_committed_weights_of_the_study_s_run():
    committed, (studied, *_) = result("centres"), result("local_attention")["models"]["local_p"]
    assert [committed["settings"][key] for key in ("steps", "seed")] == [studied["steps"], studied["seed"]]
    assert len(committed["windows"]) == 6
    for window in committed["windows"]:
        assert on_the_right_words(window, committed["half_width"]) == pytest.approx(window["on_right"], abs=0.02)


def test_the_alignment_forms_in_the_training_of_the_length_curve():
    """Asking changed nothing in the training; more rows than at first have their largest weight on their own link."""
    report = result("forming")
    [run] = [run for run in result("length_curve")["models"]["bahdanau"] if not run["seed"]]
    first, *_, last = report["after"]
    assert run["steps"] == last["step"]
    assert round(run["bleu"][forming.BUCKET], 1) == last["bleu"]
    assert first["bleu"] < 5 < 80 < last["bleu"]
    links = report["sentences"][0]["links"]
    best = [torch.tensor(after["weights"][0]).argmax(-1).tolist() for after in (first, last)]
    few, many = (sum([position, word] in links for word, position in enumerate(places)) for places in best)
    assert few < many


@pytest.mark.parametrize("scorer", SCORERS)
def test_gathered_and_masked_are_timed_on_the_same_contexts(scorer):
    scorer = SCORERS[scorer](6, 4)
    states, queries = torch.randn(2, 9, 6), torch.randn(2, 3, 6)
    arguments = scorer, queries, scorer.project_keys(states), states, 9 * torch.rand(2, 3), 2
    torch.testing.assert_close(contexts("local_gathered", *arguments), contexts("local_masked", *arguments))


def test_gathered_memory_does_not_grow_by_a_vector_for_each_key():
    small = {"size": 6, "attention_size": 4, "half_width": 2}
    bytes_kept = {
        kind: [measure(kind, "additive", 1, length, 3, small, 1)["kept_bytes"] for length in (20, 200)]
        for kind in KINDS
    }
    assert bytes_kept["local_gathered"][1] == bytes_kept["local_gathered"][0]
    assert bytes_kept["global"][1] > 9 * bytes_kept["global"][0]
    assert bytes_kept["local_masked"][1] > 9 * bytes_kept["local_masked"][0]


def queries_and_keys():
    return torch.randn(2, 5, 6, requires_grad=True), torch.randn(2, 5, 6, requires_grad=True)


@pytest.mark.parametrize("name", scorer_cost.SCORERS)
def test_a_loop_over_the_queries_gives_the_same_scores(name):
    scorer = scorer_cost.SCORERS[name](6, 5)
    queries, keys = queries_and_keys()
    for keys_once in (True, False):
        looped = scorer_cost.looped_scores(scorer, queries, keys, keys_once)
        torch.testing.assert_close(looped, scorer_cost.all_scores(scorer, queries, keys))


@pytest.mark.parametrize(("name", "vectors"), [("dot", 0), ("bilinear", 2 * 5), ("additive", 2 * 5 * 5)])
def test_scores_keep_no_vector_one_per_key_or_one_per_query_and_key(name, vectors):
    scorer, (queries, keys) = scorer_cost.SCORERS[name](6, 5), queries_and_keys()
    given = [queries, keys, *scorer.parameters()]
    bytes_kept = scorer_cost.kept_bytes(lambda: scorer_cost.all_scores(scorer, queries, keys), given)
    assert bytes_kept == vectors * 6 * FLOAT


def test_the_additive_scorer_moves_weights_by_its_tanh():
    pairs = reverse(4, seed=0, symbols=5)
    vocab = Vocabulary.build(pair.source for pair in pairs)
    moved = {}
    for kind in (WithoutTanh, AdditiveScorer):
        decoder = LuongDecoder(len(vocab), 3, 6, 4, kind(6, 4, 5))
        moved[kind] = movement(Seq2Seq(Encoder(len(vocab), 3, 2), decoder), pairs, vocab)
    assert moved[WithoutTanh] < 1e-6
    assert moved[AdditiveScorer] > 1e-3
