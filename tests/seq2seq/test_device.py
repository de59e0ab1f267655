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


def test_cpu_where_there_is_nothing_better(bare):
    assert choose_device() == torch.device("cpu")


def test_cuda_comes_first(bare):
    bare.setattr(torch.cuda, "is_available", lambda: True)
    bare.setattr(torch.backends.mps, "is_available", lambda: True)
    assert choose_device() == torch.device("cuda")


def test_mps_comes_before_cpu(bare):
    bare.setattr(torch.backends.mps, "is_available", lambda: True)
    assert choose_device() == torch.device("mps")


def test_the_environment_overrides_the_choice(bare):
    bare.setattr(torch.cuda, "is_available", lambda: True)
    bare.setenv("SEQ2SEQ_DEVICE", "cpu")
    assert choose_device() == torch.device("cpu")


def test_a_name_overrides_the_environment(bare):
    bare.setenv("SEQ2SEQ_DEVICE", "cuda")
    assert choose_device("cpu") == torch.device("cpu")


@pytest.mark.parametrize("name", ["cuda", "cuda:1", "mps"])
def test_a_device_that_is_not_there_is_refused(bare, name):
    with pytest.raises(ValueError, match="this machine or this build of PyTorch has none"):
        choose_device(name)


def test_a_name_that_means_nothing_is_refused(bare):
    with pytest.raises(ValueError, match="got 'gpu0', expected a name such as"):
        choose_device("gpu0")


def test_a_record_names_the_processor_by_its_type():
    assert device_name(torch.device("cpu")) == "cpu"


@pytest.mark.cuda
def test_a_record_names_the_gpu_by_its_own_name():
    assert device_name(torch.device("cuda")) == torch.cuda.get_device_name()
