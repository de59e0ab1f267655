import pytest
import torch

from seq2seq.device import choose_device, device_name


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
        (["cuda"], "cpu", None, "cpu"),  # the environment overrides the choice
        ([], "cuda", "cpu", "cpu"),  # and a name the environment
    ],
)
def test_the_best_there_is_but_for_wishes(bare, kinds, wish, name, chosen):
    for kind in kinds:
        bare.setattr({"cuda": torch.cuda, "mps": torch.backends.mps}[kind], "is_available", lambda: True)
    if wish:
        bare.setenv("SEQ2SEQ_DEVICE", wish)
    assert choose_device(name) == torch.device(chosen)


def test_a_device_that_is_not_there_or_means_nothing_is_refused(bare):
    for name in ("cuda", "cuda:1", "mps"):
        with pytest.raises(ValueError, match="this machine or this build of PyTorch has none"):
            choose_device(name)
    with pytest.raises(ValueError, match="got 'gpu0', expected a name such as"):
        choose_device("gpu0")


def test_a_record_names_the_processor_by_its_type():
    assert device_name(torch.device("cpu")) == "cpu"


@pytest.mark.cuda
def test_a_record_names_the_gpu_by_its_own_name():
    assert device_name(torch.device("cuda")) == torch.cuda.get_device_name()
