"""Checks of the maxout readout: state, word and context side by side, then the larger of each pair."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import torch
from torch import Tensor

from autograder.checks.results import compare_gradients, compare_results
from autograder.checks.twins import twins
from autograder.expect import check, generator
from seq2seq.decoders.readout import MaxoutReadout

Answer = Callable[..., Any]

SIZES = {"state_size": 4, "embedding_size": 2, "context_size": 6, "readout_size": 3}


@check
def check_maxout_readout(answer: Answer) -> None:
    """maxout readout: state, word and context through one layer, then the larger of each two neighbours"""
    _compare(answer, (5,), SIZES)


@check
def check_maxout_readout_hidden(answer: Answer) -> None:
    """maxout readout, other cases: all steps of a target at once, other sizes, one sentence, float64, gradients"""
    _compare(answer, (3, 5), SIZES, case="all steps of a target at once")
    other = {"state_size": 3, "embedding_size": 5, "context_size": 2, "readout_size": 7}
    _compare(answer, (4,), other, case="other sizes")
    _compare(answer, (1,), SIZES, case="a batch of one sentence")
    _compare(answer, (5,), SIZES | {"readout_size": 1}, case="a readout of size 1")
    _compare(answer, (5,), SIZES, torch.float64, case="float64")
    module, twin = twins(answer, MaxoutReadout, SIZES, case="gradients")
    parameters = dict(module.named_parameters()), dict(twin.named_parameters())
    compare_gradients("readout", module, twin, _inputs("gradients", (3, 5), SIZES), parameters, case="gradients")


def _compare(
    answer: Answer,
    axes: tuple[int, ...],
    sizes: dict[str, int],
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    module, twin = twins(answer, MaxoutReadout, sizes, dtype, case)
    inputs = _inputs(case, axes, sizes, dtype)
    with torch.no_grad():
        expected = twin(**inputs)
    what, size = "readout", sizes["readout_size"]
    shapes = {
        (*axes, 2 * size): "the pairs are all still there: of each pair one number is kept, the larger",
        (*axes, 2): "the maximum ran over the pairs; it runs within each pair",
        (*axes, size, 2): "the pairs are laid out, but the larger of each is not taken yet",
        axes: "one maximum for all is taken; each pair has one of its own",
    }
    shapes.pop(tuple(expected.shape), None)
    compare_results(
        what,
        module,
        inputs,
        {what: expected},
        {what: dict(zip(("batch", "target_len"), axes, strict=False)) | {"readout_size": size}},
        lambda: {what: _mistakes(twin, **inputs)},
        {what: shapes},
        case,
    )


def _inputs(
    name: str, axes: tuple[int, ...], sizes: dict[str, int], dtype: torch.dtype = torch.float32
) -> dict[str, Tensor]:
    draw = generator(f"readout {name}")
    names = {"state": "state_size", "embedded": "embedding_size", "context": "context_size"}
    return {name: torch.randn(*axes, sizes[size], generator=draw).to(dtype) for name, size in names.items()}


def _mistakes(readout: MaxoutReadout, state: Tensor, embedded: Tensor, context: Tensor) -> dict[str, Tensor]:
    named = {"state": state, "word": embedded, "context": context}
    through = readout.layer(torch.cat(list(named.values()), dim=-1))
    pairs = through.unflatten(-1, (-1, 2))
    largest = pairs.amax(-1)
    wrong = {
        "the first half is compared with the second; a pair are two neighbours, 2j − 1 and 2j": torch.maximum(
            *through.chunk(2, dim=-1)
        ),
        "the smaller of each pair is kept; maxout keeps the larger": pairs.amin(-1),
        "the pairs are added; the larger of the two is kept": pairs.sum(-1),
        "the pairs are averaged; the larger of the two is kept": pairs.mean(-1),
        "only the first of each pair is kept; it has to be the larger": pairs[..., 0],
        "only the second of each pair is kept; it has to be the larger": pairs[..., 1],
        "only the first half is kept; of each pair the larger is": through.chunk(2, dim=-1)[0],
        "the maxima are of the absolute values: signs count": pairs.abs().amax(-1),
        "a tanh comes on top: maxout is the only non-linearity here": largest.tanh(),
        "a tanh comes before: maxout is the only non-linearity here": pairs.tanh().amax(-1),
        "a ReLU comes on top: maxout is the only non-linearity here": largest.relu(),
        "a softmax comes on top: that is for the words, after the output layer": largest.softmax(-1),
        "the bias is left out": (pairs - readout.layer.bias.unflatten(0, (-1, 2))).amax(-1),
    }
    for order in permutations(named):
        if order != tuple(named):
            why = f"the parts enter as [{'; '.join(order)}]; the layer holds [U_o, V_o, C_o], for state, word, context"
            moved = readout.layer(torch.cat([named[name] for name in order], dim=-1)).unflatten(-1, (-1, 2))
            wrong[why] = moved.amax(-1)
    for left_out, tensor in named.items():
        parts = [torch.zeros_like(tensor) if name == left_out else part for name, part in named.items()]
        why = f"the {left_out} does not enter: zeros stand in its place"
        wrong[why] = readout.layer(torch.cat(parts, dim=-1)).unflatten(-1, (-1, 2)).amax(-1)
    return wrong
