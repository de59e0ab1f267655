"""Training: its loss, its end, its steps, none of which ruins the weights, and the file that it leaves."""

import math
from functools import reduce

import gpus
import pytest
import torch
from small_models import MODELS, PAIRS, VOCAB, bahdanau, luong
from torch import nn

from seq2seq import checkpoints
from seq2seq.batch import token_batches
from seq2seq.corpora.toys import reverse
from seq2seq.recordings import Recording
from seq2seq.training import forced_loss, learning_rate_at, load_checkpoint, masked_loss, save_checkpoint, train
from seq2seq.unread import Unread
from seq2seq.vocab import PAD


@pytest.fixture
def batches():
    return token_batches(PAIRS, VOCAB, VOCAB, 20)


def seeded(make=bahdanau):
    torch.manual_seed(4)
    return make()


def test_masked_loss_equals_the_loop_over_real_tokens_and_padding_sends_it_no_gradient():
    logits, targets = torch.randn(2, 3, 5, requires_grad=True), torch.randint(0, 5, (2, 3))
    mask = torch.tensor([[True, True, False], [True, True, True]])
    losses = [-logits[b, i].softmax(-1)[targets[b, i]].log() for b in range(2) for i in range(3) if mask[b, i]]
    loss = masked_loss(logits, targets.masked_fill(~mask, PAD), mask)
    torch.testing.assert_close(loss, sum(losses) / 5)
    loss.backward()
    assert logits.grad[0, 2].eq(0).all()
    assert logits.grad[mask].ne(0).all()


def test_the_learning_rate_climbs_over_the_warm_up_is_half_way_down_in_the_middle_and_ends_at_zero():
    assert [learning_rate_at(0.0, step, 0.5, 4) for step in range(5)] == [0.125, 0.25, 0.375, 0.5, 0.5]
    assert [learning_rate_at(progress, 900, 0.5, 4) for progress in (0.5, 1.0)] == pytest.approx([0.25, 0.0])


def test_training_stops_after_the_steps_asked_for_in_evaluation_mode_having_counted_real_target_tokens(batch):
    model = seeded()
    history = train(model, [batch], steps=7, device="cpu", progress=False)
    assert (history.steps, len(history.losses), history.tokens) == (7, 7, 7 * batch.target_tokens)
    assert not model.training


def test_training_stops_when_the_cpu_seconds_are_used_up(batches):
    history = train(seeded(), batches, cpu_seconds=0.2, device="cpu", progress=False)
    assert 0.2 <= history.cpu_seconds < 2.0


def test_progress_is_shown_unless_asked_not_to(batches, capsys):
    train(seeded(), batches, steps=2, device="cpu", description="a run")
    assert "a run: 100%" in capsys.readouterr().err


def weights(model):
    return {name: parameter.detach().clone() for name, parameter in model.named_parameters()}


def test_seconds_without_an_end_need_steps(batches):
    with pytest.raises(ValueError, match="cpu_seconds: got inf, expected a finite number, or steps too"):
        train(bahdanau(), batches, cpu_seconds=math.inf, device="cpu", progress=False)
    history = train(bahdanau(), batches, cpu_seconds=math.inf, steps=2, device="cpu", progress=False)
    assert history.steps == 2


def nan_in_the_loss(model, batch, progress):
    return forced_loss(model, batch, progress) * math.nan


def nan_in_the_gradient(model, batch, progress):
    """0 at the place where the root's slope has no end."""
    return forced_loss(model, batch, progress) + next(model.parameters()).mul(0.0).sum().abs().sqrt()


NOT_FINITE = {
    "loss: nan at step": nan_in_the_loss,
    "norm of the gradient: nan at step": nan_in_the_gradient,
}


@pytest.mark.parametrize("words", NOT_FINITE)
def test_what_is_not_finite_is_found_before_the_step(batches, words):
    model = bahdanau()
    before = weights(model)
    with pytest.raises(FloatingPointError, match=f"^{words} 0"):
        train(model, batches, steps=2, loss=NOT_FINITE[words], device="cpu", progress=False)
    torch.testing.assert_close(weights(model), before, atol=0, rtol=0)
    assert not model.training


@pytest.mark.parametrize("words", NOT_FINITE)
def test_a_gpu_whose_losses_are_read_later_leaves_the_weights_as_they_were_before_that_step_too(batches, words, gpu):
    def after_three(model, batch, progress):
        return (NOT_FINITE[words] if progress > 0.25 else forced_loss)(model, batch, progress)

    def for_three(model, batch, progress):
        if progress > 0.25:
            raise InterruptedError
        return forced_loss(model, batch, progress)

    model, before = seeded().double().to(gpu), seeded().double().to(gpu)
    with pytest.raises(FloatingPointError, match=f"^{words} 3"):
        train(model, batches, steps=10, loss=after_three, device=gpu, progress=False)
    with pytest.raises(InterruptedError):
        train(before, batches, steps=10, loss=for_three, device=gpu, progress=False)
    torch.testing.assert_close(weights(model), weights(before), atol=1e-12, rtol=0)


@pytest.fixture
def long_batches():
    """Of sentences whose numbers, source and target lengths differ from batch to batch."""
    return token_batches(reverse(14, 4, (2, 8), 6), VOCAB, VOCAB, 30)


@pytest.mark.parametrize(("make", "way"), [(bahdanau, "gpu"), *((make, "replaying") for make in MODELS)])
def test_a_gpu_trains_as_the_cpu_does_and_nobody_waits_but_to_read(way, make, long_batches, request, monkeypatch):
    device, read, replay, readings, replays = request.getfixturevalue(way), Unread.read, Recording.__call__, [], []

    def heard(unread):
        with gpus.somebody_waits(device):
            readings.append(len(unread.numbers))
            return read(unread)

    by_cpu, model = seeded(make).double(), seeded(make).double().to(device)  # a GPU's float32 is not the CPU's
    history = train(by_cpu, long_batches, steps=14, device="cpu", progress=False)
    monkeypatch.setattr("seq2seq.unread.STEPS", 5)
    monkeypatch.setattr(Unread, "read", heard)
    monkeypatch.setattr(Recording, "__call__", lambda *given: (replays.append(given), replay(*given))[1])
    with gpus.nobody_waits(device):
        on_gpu = train(model, long_batches, steps=14, device=device, progress=False)
    assert readings == [5, 5, 4]
    assert (len(replays) > 4) == (way == "replaying")
    assert on_gpu.losses == pytest.approx(history.losses)
    assert on_gpu.tokens == history.tokens
    torch.testing.assert_close(weights(model.to("cpu")), weights(by_cpu))


@pytest.mark.parametrize(("precision", "tolerance"), [((), 0.0), ((torch.float16,), 1e-3)])
def test_a_checkpoint_brings_the_weights_back_from_half_precision_too_but_to_no_other_model(
    tmp_path, precision, tolerance
):
    model, other = seeded(), bahdanau()
    save_checkpoint(tmp_path / "model.pt", model, *precision)
    load_checkpoint(tmp_path / "model.pt", other)
    torch.testing.assert_close(dict(other.state_dict()), dict(model.state_dict()), atol=tolerance, rtol=tolerance)
    with pytest.raises(ValueError, match=r"weights are not the model's: decoder.* is .*, expected .*; build the model"):
        load_checkpoint(tmp_path / "model.pt", luong())


def test_weights_too_large_for_a_type_are_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "DIRECTORY", tmp_path)
    model = bahdanau()
    nn.init.constant_(model.decoder.output_layer.bias, 70_000.0)
    with pytest.raises(OverflowError, match=r"got torch.float16, .* 65504, but decoder.output_layer.bias holds 70000"):
        save_checkpoint(tmp_path / "model.pt", model, torch.float16)
    with pytest.raises(OverflowError, match=r"decoder.output_layer.bias holds 70000"):
        checkpoints.save("model", model.state_dict())
    for dtype in (torch.int8, torch.bool, "float16", torch.float8_e5m2):
        with pytest.raises(TypeError, match=r"dtype: got .*, expected one of \(torch.float16"):
            save_checkpoint(tmp_path / "model.pt", model, dtype)
    assert list(tmp_path.iterdir()) == []
    save_checkpoint(tmp_path / "model.pt", model, torch.bfloat16)


def test_a_part_called_module_is_no_wrapping(tmp_path):
    """Without its name its weight would take the place of another."""
    models = [nn.Linear(1, 1, bias=False) for _ in range(2)]
    for model in models:
        model.module = nn.Linear(1, 1, bias=False)
    save_checkpoint(tmp_path / "model.pt", models[0])
    load_checkpoint(tmp_path / "model.pt", models[1])
    torch.testing.assert_close(weights(models[1]), weights(models[0]))


def test_a_file_that_is_no_state_is_refused_by_name(tmp_path):
    path, model = tmp_path / "model.pt", bahdanau()
    save_checkpoint(path, model)
    whole = path.read_bytes()
    for content in (b"", b"junk", whole[:1000], whole[:-30]):
        path.write_bytes(content)
        with pytest.raises(
            ValueError, match=r"model\.pt: not read \(.*expected a file of save_checkpoint; is it damaged"
        ):
            load_checkpoint(path, model)
    for state in ({"model": model.state_dict(), "step": 3}, [1]):
        torch.save(state, path)
        with pytest.raises(ValueError, match=r"model\.pt: got .*, expected tensors by name alone"):
            load_checkpoint(path, model)
    with pytest.raises(FileNotFoundError):
        load_checkpoint(tmp_path / "other.pt", model)


@pytest.mark.filterwarnings("ignore:.*script_method.*:DeprecationWarning")  # torch.compile's own
def test_compiled_and_parallel_models_and_plain_ones_read_each_others_files(tmp_path):
    plain, *ways = ([], [torch.compile], [nn.DataParallel], [torch.compile, nn.DataParallel])
    for wrappers in ways:
        for written, read in ((wrappers, plain), (plain, wrappers), (wrappers, wrappers)):
            model, other = bahdanau(), bahdanau()
            save_checkpoint(tmp_path / "model.pt", reduce(lambda inner, wrap: wrap(inner), written, model))
            load_checkpoint(tmp_path / "model.pt", reduce(lambda inner, wrap: wrap(inner), read, other))
            states = ({name: part.cpu() for name, part in each.state_dict().items()} for each in (other, model))
            torch.testing.assert_close(*states)  # a parallel model goes to the GPU, if there is one


def test_parameters_may_have_a_learning_rate_of_their_own(batches):
    model = seeded(luong)
    before = weights(model)
    train(model, batches, steps=2, rate_factors={"decoder.output_layer": 0.0}, device="cpu", progress=False)
    unmoved = {name for name, parameter in model.named_parameters() if torch.equal(parameter, before[name])}
    assert unmoved == {"decoder.output_layer.weight", "decoder.output_layer.bias"}
    before, factors = weights(model), {"decoder": 0.0, "decoder.output_layer": 1.0}  # the longer name counts
    train(model, batches, steps=2, rate_factors=factors, device="cpu", progress=False)
    moved = {name for name, parameter in model.named_parameters() if not torch.equal(parameter, before[name])}
    assert {name for name in moved if name.startswith("decoder")} == unmoved
