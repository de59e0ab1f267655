"""Checks of the predicted centre: a share of each sentence's own length, whatever the padding."""

from collections.abc import Callable

import torch
from torch import Tensor, nn

from autograder.expect import (
    CheckFailed,
    ask,
    check,
    expect_close,
    expect_finite,
    expect_gradients,
    expect_shape,
    expect_tensor,
    expect_unchanged,
    generator,
    same,
)
from autograder.wording import labelled
from seq2seq.local import CentrePredictor

Answer = Callable[..., nn.Module]


@check
def check_centre_predictor(answer: Answer) -> None:
    """predicted centres: S · sigmoid(v · tanh(W h)), S each sentence's own length; with gradients"""
    _compare(answer, (4, 4), [7, 5, 2])
    _compare(answer, (4, 6), [7, 5, 2])
    _expect_padding_moves_nothing(answer)


@check
def check_centre_predictor_hidden(answer: Answer) -> None:
    """predicted centres, other cases: one sentence, one query, padding on the left and anywhere, no word, float64"""
    _compare(answer, (3, 5), [6], case="a batch of one sentence")
    _compare(answer, (3, 5), [6, 4, 1, 2], queries=1, case="one query")
    _compare(answer, (3, 5), [7, 3], flip=True, case="padding on the left")
    _compare(answer, (5, 3), [6, 0, 2], case="a sentence without a real word")
    _compare(answer, (5, 3), [4, 3], keys=9, case="mostly padding")
    _compare(answer, (6, 1), [5, 3], case="one row of W")
    _compare(answer, (3, 5), [7, 4, 2], dtype=torch.float64, case="float64")


def _compare(
    answer: Answer,
    sizes: tuple[int, int],
    lengths: list[int],
    queries: int = 2,
    keys: int = 0,
    flip: bool = False,
    dtype: torch.dtype = torch.float32,
    case: str = "",
) -> None:
    module, twin = _twins(answer, sizes, dtype, case)
    mask = torch.arange(keys or max(lengths)) < torch.tensor(lengths).unsqueeze(1)
    mask = mask.flip(-1) if flip else mask
    draw = generator(f"hidden {sizes} {lengths} {case}")
    hidden = torch.randn(len(lengths), queries, sizes[0], generator=draw).to(dtype).requires_grad_()
    expected = twin(hidden, mask)
    own = hidden.detach().clone().requires_grad_()
    given = {"hidden": own, "source_mask": mask.clone()}
    what = "centres"
    centres = ask(what, module, case=case, **given)
    batch, count = expected.shape
    shapes = {
        (batch, count, 1): "v gives one number per query: its axis of size 1 is left over",
        (batch, batch, count): "the lengths of every sentence meet the queries of every other: keep their axis",
        (batch, batch): "a bare `.squeeze()` drops the axis of one query as well: name the axis that should go",
        (batch, count, mask.size(1)): "there is one centre per query, not one number per source word",
    }
    expect_tensor(what, centres, like=hidden, case=case)
    expect_shape(what, centres, shapes, case, batch=batch, queries=count)
    expect_finite(what, centres, case=case)
    with torch.no_grad():
        table = _mistakes(twin, hidden, mask)
    properties = lambda: _expect_within(centres.detach(), mask, case)  # noqa: E731
    why = "the sentence's length times a number between 0 and 1"
    expect_close(what, centres.detach(), expected.detach(), lambda: table, properties, why, case)
    expect_unchanged("hidden", own, hidden, case)
    expect_unchanged("source_mask", given["source_mask"], mask, case)
    theirs, ours = (dict(side.named_parameters()) for side in (module, twin))
    pairs = {"hidden": (own, hidden)} | {name: (theirs[name], ours[name]) for name in ours}
    expect_gradients(what, centres, expected, pairs, case)


def _mistakes(twin: CentrePredictor, hidden: Tensor, mask: Tensor) -> dict[str, Tensor]:
    matrix, weigh = twin.hidden_layer.weight, twin.position_layer.weight.squeeze(0)
    inner = hidden @ matrix.mT
    raw = inner.tanh() @ weigh
    length = mask.sum(-1, keepdim=True).to(hidden.dtype)
    right = length * raw.sigmoid()
    wrong = {
        "S is the length of the longest sentence; each sentence has its own, or padding would move its centres": (
            mask.size(1) * raw.sigmoid()
        ),
        "S is the length of the longest sentence of the batch; each sentence has its own": length.max() * raw.sigmoid(),
        "S counts the padding; the mask is True for real words": (~mask).sum(-1, keepdim=True) * raw.sigmoid(),
        "S counts the real words of the whole batch; each sentence has its own": mask.sum() * raw.sigmoid(),
        "S is missing: these are shares between 0 and 1, not positions": raw.sigmoid(),
        "S is one too small: by equation 9 the centre may come near S itself": (length - 1) * raw.sigmoid(),
        "S is one too large": (length + 1) * raw.sigmoid(),
        "the sigmoid is missing: nothing keeps the centre within the sentence": length * raw,
        "S is inside the sigmoid; it belongs outside": (length * raw).sigmoid(),
        "there is a tanh in place of the sigmoid: half of its values are negative": length * raw.tanh(),
        "there is a softmax over the queries in place of the sigmoid": length * raw.softmax(-1),
        "the tanh is missing, within the sigmoid": length * (inner @ weigh).sigmoid(),
        "there is a sigmoid in place of the tanh as well": length * (inner.sigmoid() @ weigh).sigmoid(),
        "there is a ReLU in place of the tanh": length * (inner.relu() @ weigh).sigmoid(),
        "the tanh is around v too; it belongs before v": length * (inner @ weigh).tanh().sigmoid(),
        "there is a second tanh, after v": length * raw.tanh().sigmoid(),
        "v is forgotten: the rows of W h are summed": length * inner.tanh().sum(-1).sigmoid(),
        "v is forgotten: the rows of W h are averaged": length * inner.tanh().mean(-1).sigmoid(),
        "the centre is rounded: a rounded number has no slope, so nothing could be learned": right.round(),
        "the centre is rounded down: a rounded number has no slope, so nothing could be learned": right.floor(),
        "the length of sentence 0 is used for every sentence": length[:1] * raw.sigmoid(),
        "the state of query 0 is used for every query": right[:, :1].expand_as(right),
    }
    if hidden.size(-1) == weigh.numel():
        wrong["W is never applied to the decoder state"] = length * (hidden.tanh() @ weigh).sigmoid()
        wrong["W is transposed"] = length * ((hidden @ matrix).tanh() @ weigh).sigmoid()
    return wrong


def _expect_within(centres: Tensor, mask: Tensor, case: str) -> None:
    what, length = labelled("centres", case), mask.sum(-1, keepdim=True)
    if (centres < 0).any():
        raise CheckFailed(what, "some are negative", "positions between 0 and S", "what keeps a share above 0?")
    if (centres > length).any():
        why = "a share of each sentence's own length lies within that sentence"
        raise CheckFailed(what, "some lie beyond the end of their sentence", "positions between 0 and S", why)


def _expect_padding_moves_nothing(answer: Answer) -> None:
    module, _ = _twins(answer, (4, 6))
    hidden = torch.randn(3, 2, 4, generator=generator("padding"))
    lengths = torch.tensor([5, 3, 2]).unsqueeze(1)
    short, long = (
        ask("centres", module, hidden=hidden.clone(), source_mask=torch.arange(keys) < lengths) for keys in (5, 9)
    )
    if not same(long, short.detach()):
        why = "how far a batch is padded says nothing about its sentences"
        raise CheckFailed("centres", "they move when padding is added", "the same centres", why)


def _twins(
    answer: Answer, sizes: tuple[int, int], dtype: torch.dtype = torch.float32, case: str = ""
) -> tuple[nn.Module, CentrePredictor]:
    """The answer and the reference with the same random weights."""
    twin = CentrePredictor(*sizes).to(dtype)
    module = ask("CentrePredictor(…)", answer, case=case, hidden_size=sizes[0], position_size=sizes[1])
    draw = generator(f"weights {sizes} {case}")
    weights = {name: torch.randn(old.shape, generator=draw).to(dtype) for name, old in twin.state_dict().items()}
    found = {name: tuple(value.shape) for name, value in ask("parameters", module.state_dict).items()}
    wanted = {name: tuple(value.shape) for name, value in weights.items()}
    if found != wanted:
        names = [", ".join(f"{name} {shape}" for name, shape in side.items()) or "none" for side in (found, wanted)]
        raise CheckFailed("parameters", names[0], names[1], "leave `__init__` as it was given")
    if dtype == torch.float64:
        ask("double()", module.double)
    ask("load_state_dict", module.load_state_dict, weights=weights)
    twin.load_state_dict(weights)
    return module, twin
