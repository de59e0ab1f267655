"""Checks of the attentional state, which makes one of context and decoder state."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.results import compare_gradients, compare_results
from autograder.checks.twins import twins
from autograder.expect import check, generator
from seq2seq.decoders.plain_luong import AttentionalLayer

Answer = Callable[..., Any]
Table = dict[str, Tensor]


@check
def check_attentional_layer(answer: Answer) -> None:
    """attentional state: tanh(W_c [c; h]), the context first"""
    _compare_layer(answer, (3,), 6, 4)


@check
def check_attentional_layer_hidden(answer: Answer) -> None:
    """attentional state, other cases: all steps of a target at once, other sizes, one sentence, float64, gradients"""
    _compare_layer(answer, (3, 7), 6, 4, case="all steps of a target at once")
    _compare_layer(answer, (4,), 2, 5, case="other sizes")
    _compare_layer(answer, (1,), 6, 4, case="a batch of one sentence")
    _compare_layer(answer, (3,), 6, 4, torch.float64, case="float64")
    module, twin = twins(answer, AttentionalLayer, {"encoder_size": 6, "hidden_size": 4}, case="gradients")
    parameters = dict(module.named_parameters()), dict(twin.named_parameters())
    draw = generator("layer gradients")
    inputs = {"context": torch.randn(3, 6, generator=draw), "hidden": torch.randn(3, 4, generator=draw)}
    compare_gradients("attentional state", module, twin, inputs, parameters, case="gradients")


def _compare_layer(
    answer: Answer,
    axes: tuple[int, ...],
    encoder_size: int,
    hidden_size: int,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    sizes = {"encoder_size": encoder_size, "hidden_size": hidden_size}
    module, twin = twins(answer, AttentionalLayer, sizes, dtype, case)
    draw = generator(f"layer {case}")
    context, hidden = (torch.randn(*axes, size, generator=draw).to(dtype) for size in (encoder_size, hidden_size))
    what = "attentional state"
    with torch.no_grad():
        expected = twin(context, hidden)
    compare_results(
        what,
        module,
        {"context": context, "hidden": hidden},
        {what: expected},
        {what: dict(zip(("batch", "target_len"), axes, strict=False)) | {"hidden_size": hidden_size}},
        lambda: {what: attentional_mistakes(twin.layer, context, hidden)},
        case=case,
    )


def attentional_mistakes(layer: torch.nn.Linear, context: Tensor, hidden: Tensor) -> Table:
    into = layer(torch.cat([context, hidden], dim=-1))
    turned = layer(torch.cat([hidden, context], dim=-1))
    order = "the state comes first, then the context; W_c takes [c; h]"
    return {
        "the tanh is missing": into,
        "there is a sigmoid in place of the tanh": into.sigmoid(),
        "there is a ReLU in place of the tanh": into.relu(),
        "there are two tanh, one within the other; one is enough": into.tanh().tanh(),
        order: turned.tanh(),
        f"{order}; and the tanh is missing": turned,
        "the tanh is taken before W_c; it comes after it": layer(torch.cat([context, hidden], dim=-1).tanh()),
        "the context does not enter: zeros stand in its place": layer(
            torch.cat([torch.zeros_like(context), hidden], dim=-1)
        ).tanh(),
        "the state does not enter: zeros stand in its place": layer(
            torch.cat([context, torch.zeros_like(hidden)], dim=-1)
        ).tanh(),
        "this is h as it came: context and W_c are missing": hidden,
        "the state is added on top: W_c has its share of it already": into.tanh() + hidden,
        "a softmax stands in place of the tanh: that is for the words, after the output layer": into.softmax(-1),
    }
