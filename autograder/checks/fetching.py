"""Checks of the windows that are fetched from the values: the right words, and no word where there is none."""

from collections.abc import Callable

import torch
from torch import Tensor

from autograder.checks.windows import BETWEEN, HALF_WIDTH, KEYS, centres
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
)
from autograder.wording import labelled
from seq2seq import local as reference

Function = Callable[..., tuple[Tensor, Tensor]]

VALUE_SIZE = 4


@check
def check_fetch_windows(answer: Function) -> None:
    """fetch_windows: each sentence's own values, and `real` false beyond the ends and in the padding"""
    places = reference.window_positions(torch.tensor([*BETWEEN, [2.5, 6.0, 0.25]]), HALF_WIDTH)
    _compare_fetched(answer, [8, 9, 5], places)


@check
def check_fetch_windows_hidden(answer: Function) -> None:
    """fetch_windows, other cases: one sentence, one word, windows longer than the sentence, holes, float64"""
    single = reference.window_positions(centres("single", 1, 4), 3)
    _compare_fetched(answer, [6], single, keys=6, case="a batch of one sentence")
    short = reference.window_positions(torch.tensor([[0.0, 0.6], [1.0, -0.4], [3.0, 0.0]]), 2)
    _compare_fetched(answer, [1, 1, 1], short, keys=1, case="sentences of one word")
    wide = reference.window_positions(centres("wide", 3, 2), 6)
    _compare_fetched(answer, [4, 0, 2], wide, keys=4, case="a window longer than the sentence")
    places = reference.window_positions(centres("holes", 3, 4), HALF_WIDTH)
    _compare_fetched(answer, [9, 7, 3], places, case="padding anywhere", holes=True)
    places = reference.window_positions(torch.tensor(BETWEEN), HALF_WIDTH)
    _compare_fetched(answer, [9, 5], places, dtype=torch.float64, case="float64")


def _compare_fetched(
    answer: Function,
    lengths: list[int],
    places: Tensor,
    keys: int = KEYS,
    dtype: torch.dtype = torch.float32,
    case: str = "",
    holes: bool = False,
) -> None:
    draw = generator(f"fetch {case}")
    values = torch.randn(len(lengths), keys, VALUE_SIZE, generator=draw).to(dtype).requires_grad_()
    mask = torch.arange(keys) < torch.tensor(lengths).unsqueeze(1)
    if holes:
        mask = mask & (torch.rand(mask.shape, generator=draw) < 0.7)
    expected, expected_real = reference.fetch_windows(values, mask, places)
    own = values.detach().clone().requires_grad_()
    given = {"values": own, "source_mask": mask.clone(), "positions": places.clone()}
    fetched, real = _pair(ask("fetch_windows", answer, case=case, **given), expected, expected_real, case)
    why = "True exactly where 0 ≤ position < keys and a real token stands there"
    mistakes = _real_mistakes(mask, places)
    expect_close("real", real, expected_real, lambda: mistakes, why=why, case=case)
    expect_finite("windows", fetched, "where there is no word, any finite value may stand; NaN · 0 is NaN", case)
    shown = expected_real.unsqueeze(-1)
    table = {why: torch.where(shown, value, 0.0) for why, value in _fetched_mistakes(values, places).items()}
    why = "at a real position stands the value of that position, of that sentence"
    expect_close(
        "windows",
        torch.where(shown, fetched, 0.0).detach(),
        torch.where(shown, expected, 0.0).detach(),
        lambda: table,
        why=why,
        case=case,
    )
    expect_unchanged("source_mask", given["source_mask"], mask, case)
    expect_unchanged("positions", given["positions"], places, case)
    pair = {"values": (own, values)}
    expect_gradients("windows", torch.where(shown, fetched, 0.0), torch.where(shown, expected, 0.0), pair, case)


def _pair(result: object, windows: Tensor, real: Tensor, case: str) -> tuple[Tensor, Tensor]:
    if isinstance(result, Tensor) or not isinstance(result, tuple | list) or len(result) != 2:
        got = "nothing (None)" if result is None else "one value, not two"
        raise CheckFailed(labelled("fetch_windows", case), got, "the pair (windows, real)", "the caller needs both")
    if isinstance(result[0], Tensor) and result[0].dtype == torch.bool:
        why = "the order is the other way"
        raise CheckFailed(labelled("fetch_windows", case), "the pair (real, windows)", "(windows, real)", why)
    fetched, got_real = result
    batch, queries, window, size = windows.shape
    expect_tensor("windows", fetched, like=windows, case=case)
    expect_tensor("real", got_real, like=real, case=case)
    expect_shape("windows", fetched, case=case, batch=batch, queries=queries, window=window, value_size=size)
    expect_shape("real", got_real, case=case, batch=batch, queries=queries, window=window)
    return fetched, got_real


def _real_mistakes(mask: Tensor, places: Tensor) -> dict[str, Tensor]:
    keys = mask.size(1)
    rows = torch.arange(mask.size(0)).view(-1, 1, 1)
    clamped = places.clamp(0, keys - 1)
    right = (places == clamped) & mask[rows, clamped]
    wrong = {
        "a position beyond the ends counts as real: after `clamp` the same word stands in the window many times": mask[
            rows, clamped
        ],
        "the mask is not used: padding counts as real": places == clamped,
        "every position counts as real": torch.ones_like(right),
        "this is turned round: True means a real word": ~right,
        "the mask of sentence 0 is used for every sentence": (places == clamped)
        & mask[torch.zeros_like(rows), clamped],
        "word 0 never counts as real: position 0 is inside": right & (places > 0),
        "the last word never counts as real: position keys − 1 is inside": right & (places < keys - 1),
    }
    if int(places.min()) >= -keys:
        wrapped = places.clamp(max=keys - 1)
        why = "a position below 0 counts as real: a negative index counts from the end, so the last words come back"
        wrong[why] = (places == wrapped) & mask[rows, wrapped]
    wrong["a position modulo the length counts as real: the sentence does not begin anew at its end"] = mask[
        rows, places % keys
    ]
    return wrong


def _fetched_mistakes(values: Tensor, places: Tensor) -> dict[str, Tensor]:
    values = values.detach()
    clamped = places.clamp(0, values.size(1) - 1)
    rows = torch.arange(values.size(0)).view(-1, 1, 1)
    return {
        "every sentence gets the values of sentence 0": values[0, clamped],
        "every query gets the window of query 0": values[rows, clamped[:, :1].expand_as(clamped)],
        "the window lies one word too far to the right": values[rows, (places + 1).clamp(0, values.size(1) - 1)],
        "the window lies one word too far to the left": values[rows, (places - 1).clamp(0, values.size(1) - 1)],
        "the values are not those of the positions: every window is the beginning of the sentence": values[
            rows, torch.arange(places.size(-1)).clamp(max=values.size(1) - 1).expand_as(places)
        ],
        "all windows are 0": torch.zeros_like(values[rows, clamped]),
    }
