"""Training ends, and takes no step that ruins the weights; its file is read back by any such model."""

import math

import pytest
import torch
from small_models import PAIRS, VOCAB, bahdanau, luong
from torch import nn

from seq2seq import checkpoints
from seq2seq.batch import collate
from seq2seq.training import forced_loss, load_checkpoint, save_checkpoint, train

BATCH = collate(PAIRS, VOCAB, VOCAB)


def run(model, **options):
    return train(model, [BATCH], device="cpu", progress=False, **options)


def weights(model):
    return {name: parameter.detach().clone() for name, parameter in model.named_parameters()}


@pytest.mark.parametrize("budget", [{"steps": 0}, {"steps": -3}, {"cpu_seconds": 0}, {"cpu_seconds": -1.0}], ids=repr)
@pytest.mark.parametrize("other", [{}, {"steps": 2}, {"cpu_seconds": 0.1}], ids=repr)
def test_a_budget_of_nothing_is_refused_and_never_taken_for_one_without_an_end(budget, other):
    (name, value), *_ = budget.items()
    with pytest.raises(ValueError, match=f"{name}: got {value}, expected .*untrained"):
        run(bahdanau(), **other | budget)


def test_seconds_without_an_end_need_steps():
    with pytest.raises(ValueError, match="cpu_seconds: got inf, expected a finite number, or steps too"):
        run(bahdanau(), cpu_seconds=math.inf)
    assert run(bahdanau(), cpu_seconds=math.inf, steps=2).steps == 2


def nan_in_the_loss(model, batch, progress):
    return forced_loss(model, batch, progress) * math.nan


def nan_in_the_gradient(model, batch, progress):
    """0 at the place where the root's slope has no end."""
    return forced_loss(model, batch, progress) + next(model.parameters()).mul(0.0).sum().abs().sqrt()


@pytest.mark.parametrize(
    ("loss", "words"),
    [(nan_in_the_loss, "^loss: nan at step 0"), (nan_in_the_gradient, "^norm of the gradient: nan at step 0")],
)
def test_what_is_not_finite_is_found_before_the_step(loss, words):
    model = bahdanau()
    before = weights(model)
    with pytest.raises(FloatingPointError, match=words):
        run(model, steps=2, loss=loss)
    torch.testing.assert_close(weights(model), before, atol=0, rtol=0)


def test_weights_too_large_for_a_type_are_not_written(tmp_path, monkeypatch):
    monkeypatch.setattr(checkpoints, "DIRECTORY", tmp_path)
    model = bahdanau()
    nn.init.constant_(model.decoder.output_layer.bias, 70_000.0)
    with pytest.raises(OverflowError, match=r"got torch.float16, .* 65504, but decoder.output_layer.bias holds 70000"):
        save_checkpoint(tmp_path / "model.pt", model, torch.float16)
    with pytest.raises(OverflowError, match=r"decoder.output_layer.bias holds 70000"):
        checkpoints.save("model", model.state_dict())
    assert list(tmp_path.iterdir()) == []
    save_checkpoint(tmp_path / "model.pt", model, torch.bfloat16)


WRAPPED = {
    "plain": lambda model: model,
    "compiled": torch.compile,
    "parallel": nn.DataParallel,
    "compiled, then parallel": lambda model: nn.DataParallel(torch.compile(model)),
}


@pytest.mark.filterwarnings("ignore:.*script_method.*:DeprecationWarning")  # torch.compile's own
@pytest.mark.parametrize("written", WRAPPED)
@pytest.mark.parametrize("read", WRAPPED)
def test_a_compiled_or_parallel_model_and_a_plain_one_read_each_others_files(tmp_path, written, read):
    model, other = bahdanau(), bahdanau()
    save_checkpoint(tmp_path / "model.pt", WRAPPED[written](model))
    load_checkpoint(tmp_path / "model.pt", WRAPPED[read](other))
    torch.testing.assert_close(other.state_dict(), model.state_dict())


def test_the_file_of_another_model_is_refused_by_the_name_of_a_weight(tmp_path):
    save_checkpoint(tmp_path / "model.pt", bahdanau())
    with pytest.raises(ValueError, match=r"weights are not the model's: decoder.* is .*, expected .*; build the model"):
        load_checkpoint(tmp_path / "model.pt", luong())
