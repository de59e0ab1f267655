"""The experiments on local attention and on scheduled sampling: what they measure, by hand on small examples."""

import json

import pytest
import torch

from seq2seq.corpora.pair import Pair
from seq2seq.decoders.local import LocalMonotonicDecoder, LocalPredictiveDecoder
from seq2seq.decoders.luong import InputFeedingDecoder, LuongDecoder
from seq2seq.experiments import local_attention, local_cost, scheduled_sampling
from seq2seq.experiments.local_cost import KINDS, SCORERS, contexts, kept_bytes, measure
from seq2seq.experiments.study import Data
from seq2seq.losses.scheduled_sampling import ScheduledSampling
from seq2seq.training import forced_loss
from seq2seq.vocab import Vocabulary

PAIR = Pair(tuple("abcdefgh"), tuple("uvw"), frozenset({(0, 0), (2, 0), (7, 2)}))  # v has no link
SMALL = {"size": 6, "attention_size": 4, "half_width": 2}


@pytest.fixture
def data():
    pairs = [PAIR, Pair(tuple("ab"), tuple("uv"), frozenset({(0, 0), (1, 1)}))]
    return Data(pairs, {"2-8": pairs}, Vocabulary(tuple("abcdefgh")), Vocabulary(tuple("uvw")))


def build(study, name, data):
    (variant,) = (variant for variant in study.variants if variant.name == name)
    return variant.build(len(data.source_vocab), len(data.target_vocab))


def test_the_gold_centre_is_the_mean_of_the_linked_positions():
    assert local_attention.gold_centres(PAIR) == {0: 1.0, 2: 7.0}


def test_distances_of_centres_by_hand():
    found = torch.tensor([[2.0, 9.0, 1.0, 0.0]])
    assert local_attention.distances(found, [PAIR], 5) == {"mean_distance": 3.5, "links_in_window": 0.6667}


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("global", LuongDecoder),
        ("local_m", LocalMonotonicDecoder),
        ("local_p", LocalPredictiveDecoder),
        ("local_p_wide", LocalPredictiveDecoder),
    ],
)
def test_each_variant_has_the_decoder_of_its_name(name, kind, data):
    assert type(build(local_attention.STUDY, name, data).decoder) is kind


def test_local_m_has_its_centres_at_the_targets_own_positions(data):
    found = local_attention.centres(build(local_attention.STUDY, "local_m", data), data.training, data)
    assert found.tolist() == [[0, 1, 2, 3]] * 2


def test_local_p_has_its_centres_inside_the_sentence(data):
    found = local_attention.centres(build(local_attention.STUDY, "local_p", data), data.training, data)
    assert found.shape == (2, 4)
    assert (found > 0).all()
    assert (found < torch.tensor([[8], [2]])).all()


def test_global_attention_has_no_centres(data):
    assert local_attention.measure(build(local_attention.STUDY, "global", data), data) == {}


def test_local_attention_has_an_entry_for_each_length(data):
    measured = local_attention.measure(build(local_attention.STUDY, "local_p", data), data)
    assert list(measured["centres"]) == ["2-8"]


@pytest.mark.parametrize("scorer", SCORERS)
def test_gathered_and_masked_are_timed_on_the_same_contexts(scorer):
    scorer = SCORERS[scorer](6, 4)
    states, queries = torch.randn(2, 9, 6), torch.randn(2, 3, 6)
    arguments = scorer, queries, scorer.project_keys(states), states, 9 * torch.rand(2, 3), 2
    torch.testing.assert_close(contexts("local_gathered", *arguments), contexts("local_masked", *arguments))


def test_kept_bytes_counts_what_is_not_given():
    given = torch.randn(3, requires_grad=True)
    assert kept_bytes(lambda: given.exp(), [given]) == 12  # the exponential, for its own gradient
    assert kept_bytes(lambda: given.sin(), [given]) == 0


def test_gathered_memory_does_not_grow_by_a_vector_for_each_key():
    kept = {
        kind: [measure(kind, "additive", 1, length, 3, SMALL, 1)["kept_bytes"] for length in (20, 200)]
        for kind in KINDS
    }
    assert kept["local_gathered"][1] == kept["local_gathered"][0]
    assert kept["global"][1] > 9 * kept["global"][0]
    assert kept["local_masked"][1] > 9 * kept["local_masked"][0]


def test_the_quick_cost_experiment_writes_a_report(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(local_cost, "SETTINGS", local_cost.SETTINGS | {"size": 4, "attention_size": 4, "queries": 2})
    local_cost.main(["--quick", "--out", str(tmp_path)])
    report = json.loads((tmp_path / "local_cost.json").read_text())
    assert [len(report[scorer][kind]["by_batch_2"]) for scorer in SCORERS for kind in KINDS] == [2] * 6
    assert "| additive | local_gathered | 2 |" in capsys.readouterr().out


def test_the_variants_differ_in_their_loss_alone(data):
    losses = {variant.name: variant.loss for variant in scheduled_sampling.STUDY.variants}
    assert {name for name, loss in losses.items() if loss is forced_loss} == {
        "teacher_forcing",
        "teacher_forcing_same_steps",
    }
    assert sum(isinstance(loss, ScheduledSampling) for loss in losses.values()) == 1
    assert all(type(build(scheduled_sampling.STUDY, name, data).decoder) is InputFeedingDecoder for name in losses)


@pytest.mark.parametrize("name", scheduled_sampling.SCHEDULES)
def test_every_schedule_stays_within_its_range_and_falls(name):
    shares = [scheduled_sampling.SCHEDULES[name](progress / 20) for progress in range(21)]
    assert shares == sorted(shares, reverse=True)
    assert all(0 < share <= 1 for share in shares)


def test_the_accuracies_are_shares_and_the_gold_one_is_the_forced_one(data):
    model = build(scheduled_sampling.STUDY, "linear", data)
    measured = scheduled_sampling.measure(model, data)
    hits = words = 0
    for pair in data.training:
        source = torch.tensor([data.source_vocab.encode(pair.source)])
        target = data.target_vocab.encode(pair.target)
        logits, _ = model(source, torch.tensor([source.size(1)]), torch.tensor([[1, *target]]))
        hits += (logits.argmax(-1)[0] == torch.tensor([*target, 2])).sum().item()
        words += len(target) + 1
    assert measured["gold_words_accuracy"]["2-8"] == pytest.approx(hits / words, abs=1e-4)
    assert 0 <= measured["own_words_accuracy"]["2-8"] <= 1
