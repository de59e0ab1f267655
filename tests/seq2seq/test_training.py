import math

import pytest
import torch
from small_models import PAIRS, VOCAB, bahdanau, luong

from seq2seq.batch import collate, token_batches
from seq2seq.training import learning_rate_at, load_checkpoint, masked_loss, save_checkpoint, train
from seq2seq.vocab import PAD


@pytest.fixture
def batches():
    return token_batches(PAIRS, VOCAB, VOCAB, 20)


def seeded(make=bahdanau):
    torch.manual_seed(4)
    return make()


def test_masked_loss_equals_the_loop_over_real_tokens():
    logits, targets = torch.randn(2, 3, 5), torch.randint(0, 5, (2, 3))
    mask = torch.tensor([[True, True, False], [True, True, True]])
    losses = [
        -math.log(logits[b, i].exp()[targets[b, i]] / logits[b, i].exp().sum())
        for b in range(2)
        for i in range(3)
        if mask[b, i]
    ]
    assert masked_loss(logits, targets, mask).item() == pytest.approx(sum(losses) / 5, rel=1e-5)


def test_padding_sends_no_gradient_into_the_loss():
    logits = torch.randn(2, 3, 5, requires_grad=True)
    mask = torch.tensor([[True, True, False], [True, True, True]])
    masked_loss(logits, torch.full((2, 3), PAD), mask).backward()
    assert logits.grad[0, 2].eq(0).all()
    assert logits.grad[mask].ne(0).all()


def test_learning_rate_climbs_over_the_warm_up():
    assert [learning_rate_at(0.0, step, 0.5, 4) for step in range(5)] == [0.125, 0.25, 0.375, 0.5, 0.5]


def test_learning_rate_ends_at_zero():
    assert learning_rate_at(1.0, 900, 0.5, 4) == pytest.approx(0.0)


def test_learning_rate_is_half_way_down_in_the_middle():
    assert learning_rate_at(0.5, 900, 0.5, 4) == pytest.approx(0.25)


def test_training_lowers_the_loss(batches):
    history = train(seeded(), batches, steps=120, learning_rate=0.02, warmup_steps=5, device="cpu", progress=False)
    assert sum(history.losses[-3:]) < 0.5 * sum(history.losses[:3])


def test_training_stops_after_the_steps_asked_for(batches):
    history = train(seeded(), batches, steps=7, device="cpu", progress=False)
    assert (history.steps, len(history.losses)) == (7, 7)


def test_training_stops_when_the_cpu_seconds_are_used_up(batches):
    history = train(seeded(), batches, cpu_seconds=0.2, device="cpu", progress=False)
    assert 0.2 <= history.cpu_seconds < 2.0


def test_history_counts_real_target_tokens():
    batch = collate(PAIRS, VOCAB, VOCAB)
    assert train(seeded(), [batch], steps=3, device="cpu", progress=False).tokens == 3 * batch.target_tokens


def test_a_run_repeats_to_the_bit():
    runs = []
    for _ in range(2):
        batches = token_batches(PAIRS, VOCAB, VOCAB, 20, torch.Generator().manual_seed(1))
        runs.append(train(seeded(), batches, steps=9, device="cpu", progress=False).losses)
    assert runs[0] == runs[1]


def test_training_ends_in_evaluation_mode(batches):
    model = seeded()
    train(model, batches, steps=1, device="cpu", progress=False)
    assert not model.training


def test_progress_is_shown_unless_asked_not_to(batches, capsys):
    train(seeded(), batches, steps=2, device="cpu", description="a run")
    assert "a run: 100%" in capsys.readouterr().err


def test_a_loss_that_is_no_number_stops_the_run(batches):
    model = seeded()
    torch.nn.init.constant_(model.decoder.output_layer.bias, math.nan)
    with pytest.raises(FloatingPointError, match="loss: nan at step 0"):
        train(model, batches, steps=2, device="cpu", progress=False)


def test_a_checkpoint_brings_the_weights_back(tmp_path):
    model, other = seeded(), bahdanau()
    save_checkpoint(tmp_path / "model.pt", model)
    load_checkpoint(tmp_path / "model.pt", other)
    assert all(torch.equal(other.state_dict()[name], weight) for name, weight in model.state_dict().items())


def test_a_half_precision_checkpoint_loads_into_single_precision(tmp_path):
    model, other = seeded(), bahdanau()
    save_checkpoint(tmp_path / "model.pt", model, torch.float16)
    load_checkpoint(tmp_path / "model.pt", other)
    for name, weight in model.state_dict().items():
        torch.testing.assert_close(other.state_dict()[name], weight, atol=1e-3, rtol=1e-3)


def test_a_checkpoint_of_another_model_is_refused(tmp_path):
    save_checkpoint(tmp_path / "model.pt", seeded())
    with pytest.raises(RuntimeError, match="Missing key"):
        load_checkpoint(tmp_path / "model.pt", luong())


def test_parameters_may_have_a_learning_rate_of_their_own(batches):
    model = seeded(luong)
    before = {name: parameter.detach().clone() for name, parameter in model.named_parameters()}
    train(model, batches, steps=2, rate_factors={"decoder.output_layer": 0.0}, device="cpu", progress=False)
    unmoved = {name for name, parameter in model.named_parameters() if torch.equal(parameter, before[name])}
    assert unmoved == {"decoder.output_layer.weight", "decoder.output_layer.bias"}
