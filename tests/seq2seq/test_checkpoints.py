"""Checkpoints come back as they were saved, within half precision, and without pickle."""

from pathlib import Path

import numpy
import pytest
import torch

from seq2seq import checkpoints


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "DIRECTORY", tmp_path)


def test_a_state_comes_back() -> None:
    layer = torch.nn.Linear(3, 2)
    state = {**layer.state_dict(), "steps": torch.tensor([3, 4])}
    checkpoints.save("layer", state)
    again = checkpoints.load("layer")
    assert list(again) == list(state)
    assert torch.equal(again["steps"], state["steps"])
    assert again["weight"].dtype == torch.float32
    assert torch.allclose(again["weight"], layer.weight, atol=1e-3)


def test_saving_what_was_loaded_changes_nothing() -> None:
    checkpoints.save("once", torch.nn.Linear(3, 2).state_dict())
    once = checkpoints.load("once")
    checkpoints.save("twice", once)
    assert all(torch.equal(value, once[key]) for key, value in checkpoints.load("twice").items())


def test_an_unknown_name_lists_the_known() -> None:
    checkpoints.save("known", {"a": torch.zeros(1)})
    with pytest.raises(FileNotFoundError, match=r"got 'unknown'.* known"):
        checkpoints.load("unknown")


def test_objects_are_refused(tmp_path: Path) -> None:
    numpy.savez(tmp_path / "objects.npz", numpy.array([{}], dtype=object))
    with pytest.raises(ValueError, match="allow_pickle"):
        checkpoints.load("objects")
