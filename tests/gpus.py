"""What tests need of a GPU: one, or where there is none what stands in for it; and that nobody waits for it."""

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import stand_in_gpu
import stand_in_graph
import torch

import seq2seq.device
import seq2seq.recordings

if not torch.cuda.is_available():
    os.environ["TRITON_INTERPRET"] = "1"  # read where Triton is imported, as the first test that compiles a model does

os.environ["SEQ2SEQ_DEVICE"] = "cpu"  # where a test asks for no other

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="needs a CUDA device")


@pytest.fixture
def gpu(monkeypatch):
    """A GPU; where there is none, what stands in for one."""
    if torch.cuda.is_available():
        yield torch.device("cuda")
        return
    if not stand_in_gpu.IS_KNOWN:
        pytest.skip("this PyTorch knows no device made in Python")
    for name, value in stand_in_graph.IN_PLACE_OF.items():
        monkeypatch.setattr(torch.cuda, name, value)
    with stand_in_gpu.present() as device:
        monkeypatch.setattr(seq2seq.device, "ASYNCHRONOUS", {device.type})
        yield device


@pytest.fixture
def replaying(gpu, monkeypatch):
    """The GPU, whose computations are recorded and replayed."""
    monkeypatch.setattr(seq2seq.recordings, "REPLAYING_ON", {gpu.type})
    return gpu


@contextmanager
def nobody_waits(device: torch.device) -> Iterator[None]:
    """Refuses what makes the CPU wait for this device, a GPU or the stand-in."""
    if device.type == "cuda":
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # which says once that this is a prototype
                torch.cuda.set_sync_debug_mode("error")
            yield
        finally:
            torch.cuda.set_sync_debug_mode("default")
        return
    stand_in_gpu.waits.clear()
    yield
    assert stand_in_gpu.waits == []


@contextmanager
def somebody_waits(device: torch.device) -> Iterator[None]:
    """Allows it again within :func:`nobody_waits`."""
    if device.type == "cuda":
        torch.cuda.set_sync_debug_mode("default")
    before = len(stand_in_gpu.waits)
    yield
    del stand_in_gpu.waits[before:]
    if device.type == "cuda":
        torch.cuda.set_sync_debug_mode("error")
