"""Answers that compute on a GPU: every visible check is passed by one, and says which tensor was left elsewhere."""

import copy
import functools
import inspect
import textwrap

import pytest
import stand_in_gpu
import torch
from every_task import TASKS
from torch import Tensor, nn

from autograder import tracebacks
from autograder.checking.checker import examine
from autograder.checking.observation import Candidate
from autograder.checking.values import mapped
from autograder.finding import CheckFailed


class Elsewhere:
    """What stays on the CPU, seen from the device: it gets its arguments there, and its results come back."""

    def __init__(self, owner, device):
        self.owner, self.device = owner, device

    def __call__(self, *given, **named):
        return moved(self.owner(*moved(given, "cpu"), **moved(named, "cpu")), self.device)

    def __getattr__(self, name):
        return moved(getattr(self.owner, name), self.device)


def moved(value, device):
    """Tensors on the device; a check's own functions and modules as they are seen from there."""

    def seen(atom):
        if isinstance(atom, Tensor):
            return atom.to(device)
        return Elsewhere(atom, device) if callable(atom) and device != "cpu" else atom

    return mapped(seen, value)


def twin(module, device):
    """A copy on the device, whose gradients reach the module; a part whose calls a check counts stays where it is."""
    there = copy.deepcopy(module)
    for part, original in zip(there.modules(), module.modules(), strict=True):
        for held in (part._parameters, part._buffers):
            for name in [name for name, tensor in held.items() if tensor is not None]:
                held[name] = getattr(original, name).to(device)
        if isinstance(part, nn.RNNBase):
            part._flat_weights = [part._parameters[name] for name in part._flat_weights_names]
    for name, part in module.named_children():
        if any(map(callable, vars(part).values())):
            there._modules[name] = Elsewhere(part, device)
    return there


def on(device, answer):
    """The answer, which computes on the device what it is asked, and gives back what is on the CPU."""

    def there(function):
        @functools.wraps(function)
        def call(*given, **named):
            itself, given = (given[:1], given[1:]) if inspect.isclass(answer) else ((), given)
            if itself and isinstance(*itself, nn.Module):
                itself = (twin(*itself, device),)
            return moved(function(*itself, *moved(given, device), **moved(named, device)), "cpu")

        return call

    if not inspect.isclass(answer):
        return there(answer)
    methods = {name: method for name, method in vars(answer).items() if inspect.isfunction(method)}
    public = [name for name in methods if name[0] != "_" or not issubclass(answer, nn.Module)]
    return type(answer.__name__, (answer,), {name: there(methods[name]) for name in public})


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.id)
def test_an_answer_that_computes_on_a_gpu_passes_every_visible_check(task, gpu):
    finding = examine(task, Candidate(on(gpu, task.right.answer), task.tools), hidden=False)
    assert finding is None, finding


MIXED = {
    "a tensor made on the CPU": (
        """
        def masked(scores, mask):
            scores = scores.to(gpu)
            lowest = torch.full(scores.shape, -1e9)
            return torch.where(mask.to(gpu), scores, lowest)
        """,
        "`lowest` is on cpu, but `scores` on gpu; `lowest` comes from your line "
        "`lowest = torch.full(scores.shape, -1e9)`, at your line `return torch.where(mask.to(gpu), scores, lowest)`",
    ),
    "an argument that was left there": (
        """
        def masked(scores, mask):
            if scores.dim() == 2:
                scores = scores.to(gpu)
            return scores.masked_fill(~mask, -1e9).softmax(-1)
        """,
        "`mask` is on cpu, but `scores` on gpu",
    ),
    "a layer": (
        """
        layer = torch.nn.Linear(3, 3)
        def masked(scores, mask):
            scores = scores.to(gpu)
            return layer(scores[:, :3])
        """,
        "`layer` is on cpu, but `scores` on gpu, at your line `return layer(scores[:, :3])`",
    ),
    "a device without numbers": (
        """
        def masked(scores, mask):
            lowest = torch.full(scores.shape, -1e9, device="meta")
            return torch.where(mask, scores, lowest).softmax(-1)
        """,
        "`lowest` is on meta, but `mask` on cpu; `lowest` comes from your line `lowest = torch.full(",
    ),
    "what has no name": (
        """
        def masked(scores, mask):
            return scores.to(gpu) + mask
        """,
        "Expected all tensors to be on the same device",
    ),
    "an attribute": (
        """
        class Parts:
            pass
        def masked(scores, mask):
            parts = Parts()
            parts.scores, parts.mask = scores.to(gpu), mask
            return parts.scores * parts.mask + parts.scores
        """,
        "`parts.mask` is on cpu, but `parts.scores` on gpu",
    ),
    "its result": (
        """
        def masked(scores, mask):
            return scores.masked_fill(~mask, -1e9).softmax(-1).to(gpu)
        """,
        "device gpu, expected cpu, as the inputs are",
    ),
}


@pytest.mark.parametrize("mistake", MIXED)
def test_who_mixes_two_devices_is_told_what_is_where_and_where_it_comes_from(mistake, gpu, tmp_path, monkeypatch):
    monkeypatch.setattr(tracebacks, "_GIVEN", (*tracebacks._GIVEN, stand_in_gpu.__file__))  # as a library's
    source, words = MIXED[mistake]
    cell = tmp_path / "cell.py"
    cell.write_text(textwrap.dedent(source))
    names = {"torch": torch, "gpu": gpu}
    exec(compile(cell.read_text(), str(cell), "exec"), names)
    task = next(task for task in TASKS if task.id == "masking.masked_softmax")
    finding = examine(task, Candidate(names["masked"]), hidden=False)
    assert words in str(CheckFailed.of(finding)).replace(gpu.type, "gpu")
