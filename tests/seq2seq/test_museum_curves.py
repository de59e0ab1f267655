"""The bug museum's trained exhibits differ from the right model in nothing but their bug, and each has it."""

import json

import pytest
import torch
from torch.nn import functional as F

from seq2seq.attention import Attention
from seq2seq.batch import collate
from seq2seq.corpora.toys import reverse
from seq2seq.experiments import museum_curves
from seq2seq.experiments.museum_curves import (
    EXHIBITS,
    FEEDING,
    RIGHT,
    forced_words,
    free_words,
    rows_right,
    symbols_right,
    vocabulary,
)
from seq2seq.experiments.padding import padded
from seq2seq.museum.store_room import (
    AcrossTheBatch,
    MaskedAfterwards,
    loss_masked_by_id,
    loss_over_padding,
)
from seq2seq.scorers import BilinearScorer
from seq2seq.training import forced_loss, train
from seq2seq.vocab import EOS, PAD

VOCAB = vocabulary()
BUGS = [name for name in EXHIBITS if name not in ("right", "right_feeding")]
OF_THE_LOSS = ("loss_over_padding",)  # their models are right


def batch():
    return collate(reverse(5, seed=0, lengths=(2, 7)), VOCAB, VOCAB)


def built(exhibit, seed=0):
    torch.manual_seed(seed)
    return exhibit.build(len(VOCAB)).eval()


def beside(name):
    return FEEDING if name == "feeding_missing" else RIGHT


@pytest.mark.parametrize("name", BUGS)
def test_the_same_seed_gives_the_right_models_weights(name):
    exhibit, right = built(EXHIBITS[name]).state_dict(), built(beside(name)).state_dict()
    assert list(exhibit) == list(right)
    for key, weight in right.items():
        assert torch.equal(exhibit[key], weight), key


@torch.no_grad()
@pytest.mark.parametrize("name", [name for name in BUGS if name not in OF_THE_LOSS])
def test_with_these_weights_the_exhibit_computes_something_else(name):
    made = batch()
    exhibit, _ = built(EXHIBITS[name])(made.source, made.source_lengths, made.target_in)
    right, _ = built(beside(name))(made.source, made.source_lengths, made.target_in)
    assert not torch.allclose(exhibit, right)


@pytest.mark.parametrize("name", ["pad_is_bos", "loss_over_padding"])
def test_a_bug_of_the_loss_gives_another_loss(name):
    model = built(RIGHT)
    assert EXHIBITS[name].loss(model, batch(), 0.0) != forced_loss(model, batch(), 0.0)


@pytest.mark.parametrize("name", [name for name in EXHIBITS if name not in ("pad_is_bos", "loss_over_padding")])
def test_the_other_runs_descend_the_right_loss(name):
    assert EXHIBITS[name].loss is forced_loss


@torch.no_grad()
@pytest.mark.parametrize("name", EXHIBITS)
def test_a_step_at_a_time_is_the_same_as_all_at_once(name):
    model, made = built(EXHIBITS[name]), batch()
    at_once, _ = model(made.source, made.source_lengths, made.target_in)
    memory, state = model.read(made.source, made.source_lengths)
    steps = []
    for previous in made.target_in.unbind(1):
        logits, _, state = model.decoder.step(previous, state, memory)
        steps.append(logits)
    torch.testing.assert_close(torch.stack(steps, 1), at_once)


def gradients(loss, made):
    """The gradient at the logits, summed over the vocabulary: (batch, target_len)."""
    logits = torch.zeros(*made.target_out.shape, len(VOCAB), requires_grad=True)
    [gradient] = torch.autograd.grad(loss(lambda *inputs: (logits, None), made, 0.0), logits)
    return gradient.abs().sum(-1)


def test_with_one_id_the_first_word_has_no_share_in_the_loss():
    made = batch()
    expected = made.target_mask.clone()
    expected[:, 0] = False
    assert torch.equal(gradients(loss_masked_by_id, made) > 0, expected)


def test_the_loss_over_padding_is_the_right_one_times_the_share_of_real_words():
    made, model = batch(), built(RIGHT)
    share = made.target_mask.float().mean()
    torch.testing.assert_close(loss_over_padding(model, made, 0.0), share * forced_loss(model, made, 0.0))


@torch.no_grad()
def test_padding_shortens_the_weights_that_are_masked_afterwards():
    attention = MaskedAfterwards(BilinearScorer(3, 3))
    keys, mask = torch.randn(1, 4, 3), torch.ones(1, 4, dtype=torch.bool)
    query = torch.randn(1, 3)
    _, weights = attention(query, keys, keys, mask)
    torch.testing.assert_close(weights.sum(), torch.tensor(1.0))
    longer = F.pad(keys, (0, 0, 0, 3))
    _, fewer = attention(query, longer, longer, F.pad(mask, (0, 3)))
    assert fewer.sum() < 0.95


@torch.no_grad()
@pytest.mark.parametrize("kind", [MaskedAfterwards, AcrossTheBatch])
def test_one_query_and_all_give_the_same(kind):
    attention = kind(BilinearScorer(3, 3))
    queries, keys = torch.randn(2, 5, 3), torch.randn(2, 4, 3)
    mask = torch.tensor([[True] * 4, [True] * 2 + [False] * 2])
    contexts, _ = attention.forward_all(queries, keys, keys, mask)
    one_by_one = [attention(query, keys, keys, mask)[0] for query in queries.unbind(1)]
    torch.testing.assert_close(contexts, torch.stack(one_by_one, 1))


@torch.no_grad()
def test_without_padding_masking_afterwards_is_right():
    right, afterwards = Attention(BilinearScorer(3, 3)), MaskedAfterwards(BilinearScorer(3, 3))
    afterwards.load_state_dict(right.state_dict())
    keys, mask = torch.randn(2, 4, 3), torch.ones(2, 4, dtype=torch.bool)
    query = torch.randn(2, 3)
    projected = right.scorer.project_keys(keys)
    torch.testing.assert_close(afterwards(query, projected, keys, mask), right(query, projected, keys, mask))


def test_the_reference_is_right():
    made = batch()
    words = F.pad(made.target_out, (0, 1), value=PAD)
    assert rows_right(words, made) == symbols_right(words, made) == 1


def test_one_wrong_symbol_makes_its_row_wrong():
    made = batch()
    words = F.pad(made.target_out, (0, 1), value=PAD)
    words[0, 0] = EOS if words[0, 0] != EOS else EOS + 2
    assert rows_right(words, made) == pytest.approx(4 / 5)
    assert symbols_right(words, made) == pytest.approx(1 - 1 / made.target_tokens)


def test_a_row_that_does_not_stop_is_wrong():
    made = batch()
    longest = made.target_mask.sum(1).argmax()
    words = F.pad(made.target_out, (0, 1), value=PAD)
    words[longest, -1] = EOS + 2
    assert rows_right(words, made) == pytest.approx(4 / 5)


@pytest.fixture(scope="module")
def half_trained():
    torch.manual_seed(0)
    model = RIGHT.build(len(VOCAB))
    pairs = [collate(reverse(64, seed=1, lengths=(2, 3)), VOCAB, VOCAB)]
    train(model, pairs, steps=24, learning_rate=1e-2, warmup_steps=5, device="cpu", progress=False)
    return model.eval()


def test_whispering_changes_symbols_and_no_row_without_a_mistake(half_trained):
    """A row that is right with the whisperer is right without, and the reverse: the shares of rows are equal."""
    made = collate(reverse(64, seed=1, lengths=(2, 3)), VOCAB, VOCAB)
    free, whispered = free_words(half_trained, made), forced_words(half_trained, made)
    assert 0 < rows_right(free, made) < 1
    right = ((whispered == made.target_out) | ~made.target_mask).all(dim=1)
    assert rows_right(free, made) == pytest.approx(right.float().mean().item())
    assert symbols_right(whispered, made) > symbols_right(free, made)


def test_a_right_model_translates_alike_with_more_padding(half_trained):
    made = batch()
    assert torch.equal(free_words(half_trained, made), free_words(half_trained, padded(made, 9)))


def test_the_quick_experiment_writes_a_report(tmp_path, capsys):
    museum_curves.main(["--quick", "--out", str(tmp_path)])
    report = json.loads((tmp_path / "museum_curves.json").read_text())
    assert list(report["runs"]) == list(EXHIBITS)
    for name, [record] in report["runs"].items():
        [right] = report["runs"]["right_feeding" if "feeding" in name else "right"]
        assert record["parameters"] == right["parameters"]
        if name not in ("pad_is_bos", "loss_over_padding"):
            assert record["reported_loss"] == record["honest_loss"]
