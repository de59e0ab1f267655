"""Mask and temperature, in chapter 6; the script's softmax against the library's."""

import math
from collections.abc import Callable

import pytest
import torch
from playwright.sync_api import Browser, Locator
from visits import Visit, spoken

from scripts import called
from seq2seq.attention import masked_softmax

Open = Callable[..., Visit]


@pytest.fixture(params=["http", "file"])
def widget(visit: Open, request: pytest.FixtureRequest) -> Locator:
    page = visit("book/06_masking", request.param, fresh=True).page
    return page.get_by_role("group", name="A softmax with a mask and a temperature")


def weights(widget: Locator) -> list[float]:
    return [float(number) for number in widget.locator("text.cw-number").all_text_contents()]


def test_script_computes_the_library_s_masked_softmax(browser: Browser):
    generator = torch.Generator().manual_seed(0)
    scores = 3 * torch.randn(60, 7, generator=generator)
    masks = torch.rand(60, 7, generator=generator) < 0.6
    masks[0] = False
    temperatures = (0.02 * 1000 ** torch.rand(60, generator=generator)).tolist()
    cases = [list(case) for case in zip(scores.tolist(), masks.tolist(), temperatures, ["before"] * 60, strict=True)]
    for found, row, mask, temperature in zip(
        called(browser, "masking", "maskedSoftmax", cases), scores, masks, temperatures, strict=True
    ):
        torch.testing.assert_close(
            torch.tensor(found["weights"], dtype=torch.float),
            masked_softmax(row, mask, temperature),
            atol=1e-6,
            rtol=1e-5,
        )


@pytest.mark.parametrize("way", ["after", "divided"])
def test_script_masks_afterwards_as_single_precision_does(browser: Browser, way: str):
    scores = torch.tensor([2.1, -0.4, 0.9])
    for mask in ([True, False, True], [False, True, False], [False, False, False]):
        for temperature in (0.02, 0.1, 1.0, 5.0):
            expected = torch.softmax(scores / temperature, dim=-1) * torch.tensor(mask)
            if way == "divided":
                expected = expected / expected.sum()
            [found] = called(browser, "masking", "maskedSoftmax", [[scores.tolist(), mask, temperature, way]])
            numbers = torch.tensor(found["weights"], dtype=torch.float)
            torch.testing.assert_close(numbers, expected, atol=1e-6, rtol=1e-5, equal_nan=True)


def test_space_masks_a_token(widget):
    widget.get_by_role("checkbox", name="3 back").press("Space")
    assert weights(widget)[2] == 0
    assert abs(sum(weights(widget)) - 1) < 0.03
    assert "The 5 real tokens share" in spoken(widget)


def test_low_temperature_gives_the_best_all(widget):
    widget.get_by_role("slider").press("Home")
    assert weights(widget) == [0, 0, 1, 0, 0, 0, 0, 0]
    widget.get_by_role("slider").press("End")
    assert max(weights(widget)) - min(weights(widget)[:6]) < 0.05


def test_masked_after_the_softmax_the_row_falls_short(widget):
    widget.get_by_role("combobox").select_option("after")
    assert sum(weights(widget)) < 0.96
    assert "is gone" in spoken(widget)
    assert widget.locator(".cw-hollow").count() == 2
    widget.get_by_role("combobox").select_option("divided")
    assert abs(sum(weights(widget)) - 1) < 0.03


def test_nothing_left_to_divide_by(widget):
    for name in ("1 she", "3 back", "4 in", "5 the", "6 evening"):
        widget.get_by_role("checkbox", name=name).uncheck()
    widget.get_by_role("combobox").select_option("divided")
    assert weights(widget)[1] == 1
    widget.get_by_role("slider").press("Home")
    assert "NaN" in spoken(widget)
    assert math.isnan(weights(widget)[1])


def test_row_without_a_real_token(widget):
    for box in widget.get_by_role("checkbox").all():
        box.uncheck()
    assert weights(widget) == [0] * 8
    assert "No token is real" in spoken(widget)
    assert "masked 0.00" in widget.get_by_role("img").get_attribute("aria-label")
