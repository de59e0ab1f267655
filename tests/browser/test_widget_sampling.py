"""Draws beside the soft context, in chapter 10; the script's draws against the library's."""

import re
from collections.abc import Callable

import pytest
import torch
from playwright.sync_api import Browser, Locator
from visits import Visit, spoken

from scripts import called
from seq2seq.hard.attention import choice_at
from seq2seq.widgets.sampling import luck, tempered

Open = Callable[..., Visit]


@pytest.fixture(params=["http", "file"])
def widget(visit: Open, request: pytest.FixtureRequest) -> Locator:
    page = visit("book/10_hard", request.param, fresh=True).page
    return page.get_by_role("group", name="The soft context, and draws of the hard one")


def counts(widget: Locator) -> list[int]:
    return [int(re.search(r"\d+", text)[0]) for text in widget.locator("text.sp-count").all_text_contents()]


def test_script_draws_as_the_library_does(browser: Browser):
    uniform = luck(300, torch.Generator().manual_seed(1))
    rows = tempered(torch.tensor([0.1, -2.0, 1.5, 0.4]), (0.1, 1.0, 7.0))
    for found, weights in zip(
        called(browser, "sampling", "choices", [[row, uniform] for row in rows]), rows, strict=True
    ):
        table = torch.tensor(weights, dtype=torch.double).expand(len(uniform), -1)
        expected = choice_at(table, torch.tensor(uniform, dtype=torch.double)).argmax(-1)
        assert found == expected.tolist()


def test_script_s_mean_and_spread(browser: Browser):
    vectors = torch.randn(20, 2, dtype=torch.double)
    [found] = called(browser, "sampling", "meanAndSpread", [[vectors.tolist()]])
    assert found["mean"] == pytest.approx(vectors.mean(0).tolist())
    assert found["spread"] == pytest.approx(vectors.var(0, correction=0).sum().sqrt().item())


def test_draws_come_in_the_same_order_for_everyone(widget):
    drawn = []
    for _ in range(6):
        widget.get_by_role("button", name="Draw", exact=True).press("Enter")
        drawn.append(counts(widget))
    uniform = torch.tensor(luck(6, torch.Generator().manual_seed(0)))
    expected = choice_at(torch.tensor([0.5, 0.3, 0.2]).expand(6, -1), uniform).cumsum(0).int().tolist()
    assert drawn == expected


def test_mean_of_many_draws_comes_near_the_soft_context(widget):
    for _ in range(10):
        widget.get_by_role("button", name="Draw 100").press("Space")
    assert sum(counts(widget)) == 1000
    off, expected = re.search(r"([\d.]+) from it, where ([\d.]+) is to be expected", spoken(widget)).groups()
    assert float(off) < 3 * float(expected) < 0.12
    assert widget.get_by_role("button", name="Draw 100").is_disabled()


def test_begin_again_takes_the_draws_away(widget):
    widget.get_by_role("button", name="Draw 100").click()
    widget.get_by_role("button", name="Begin again").click()
    assert counts(widget) == [0, 0, 0]
    assert "nothing is drawn yet" in spoken(widget)


def test_at_a_low_temperature_every_draw_is_the_soft_context(widget):
    widget.get_by_role("button", name="Draw 100").click()
    before = counts(widget)
    widget.get_by_role("slider").press("Home")
    assert counts(widget)[0] > 95 > before[0]
    widget.locator("summary").click()
    assert "Temperature 0.1, 100 draws" in widget.locator("caption").inner_text()
