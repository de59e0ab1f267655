import gpus
import pytest
import torch
from small_models import luong

from seq2seq.device import bounds, choose_device, device_name, send, with_bounds
from seq2seq.training import train


@pytest.fixture
def bare(monkeypatch):
    """A machine with a CPU alone, and no wish in the environment."""
    monkeypatch.delenv("SEQ2SEQ_DEVICE", raising=False)
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    monkeypatch.setattr(torch.backends.mps, "is_available", lambda: False)
    return monkeypatch


@pytest.mark.parametrize(
    ("kinds", "wish", "name", "chosen"),
    [
        *(([], None, None, "cpu"), (["cuda", "mps"], None, None, "cuda")),
        (["mps"], None, None, "mps"),
        ([], "", None, "cpu"),  # an empty wish is none
        (["cuda"], "cpu", None, "cpu"),  # the environment overrides the choice
        ([], "cuda", "cpu", "cpu"),  # and a name the environment
    ],
)
def test_the_best_there_is_but_for_wishes(bare, kinds, wish, name, chosen):
    for kind in kinds:
        bare.setattr({"cuda": torch.cuda, "mps": torch.backends.mps}[kind], "is_available", lambda: True)
    if wish is not None:
        bare.setenv("SEQ2SEQ_DEVICE", wish)
    assert choose_device(name) == torch.device(chosen)


def test_a_device_that_is_not_there_or_means_nothing_is_refused(bare, batch):
    for name in ("cuda", "cuda:1", "mps"):
        with pytest.raises(ValueError, match="this machine or this build of PyTorch has none"):
            choose_device(name)
    with pytest.raises(ValueError, match="got 'gpu0', expected a name such as"):
        choose_device("gpu0")
    for ask in (batch.to, lambda name: train(luong(), [batch], steps=1, device=name)):
        for name in ("cuda", "gpu0"):
            with pytest.raises(ValueError, match=f"device: got '{name}'"):
                ask(name)


def test_a_record_names_the_processor_by_its_type():
    assert device_name(torch.device("cpu")) == "cpu"


def test_what_was_sent_has_its_bounds_without_a_wait_until_it_changes(gpu):
    numbers = torch.tensor([[3, 7], [5, 4]])
    with gpus.nobody_waits(gpu):
        sent = send(numbers, gpu)
        assert (sent.device.type, bounds(sent)) == (gpu.type, (3, 7))
        copied = with_bounds(sent.clone(), sent)
        more = with_bounds(sent.clone(), sent, 0)
        unknown = with_bounds(sent.clone(), sent.clone())
        assert (bounds(copied), bounds(more)) == ((3, 7), (0, 7))
        sent += 1
    assert (bounds(sent), bounds(copied), bounds(unknown), bounds(numbers)) == ((4, 8), (3, 7), (3, 7), (3, 7))
    with gpus.nobody_waits(gpu):
        assert bounds(unknown) == (3, 7)  # which has been asked
    assert send(torch.tensor([]), gpu).tolist() == []
    with torch.inference_mode():
        assert bounds(send(numbers, gpu)) == (3, 7)


@gpus.needs_cuda
def test_a_record_names_the_gpu_by_its_own_name():
    assert device_name(torch.device("cuda")) == torch.cuda.get_device_name()
