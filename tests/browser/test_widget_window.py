"""The window to push, in chapter 9; the script's weights against the library's."""

from collections.abc import Callable

import pytest
import torch
from playwright.sync_api import Browser, Locator
from visits import Visit, spoken

from scripts import called
from seq2seq.local.attention import gaussian_window_softmax, window_softmax

Open = Callable[..., Visit]


@pytest.fixture(params=["http", "file"])
def widget(visit: Open, request: pytest.FixtureRequest) -> Locator:
    page = visit("book/09_local", request.param, fresh=True).page
    return page.get_by_role("group", name="A window over a sentence")


def sums(widget: Locator) -> list[float]:
    return [float(text.split()[-1]) for text in widget.locator(".wd-sum").all_text_contents()]


def test_script_computes_the_library_s_weights(browser: Browser):
    scores = torch.randn(12, generator=torch.Generator().manual_seed(0))
    cases = [[scores.tolist(), centre / 4, half] for centre in range(-16, 65) for half in (1, 2, 4, 6)]
    for found, (_, centre, half) in zip(called(browser, "window", "localWeights", cases), cases, strict=True):
        given = scores.view(1, 1, -1), torch.arange(12), torch.tensor([[centre]]), half, torch.ones(1, 1, 12) > 0
        torch.testing.assert_close(torch.tensor(found["softmax"], dtype=torch.float), window_softmax(*given)[0, 0])
        torch.testing.assert_close(
            torch.tensor(found["product"], dtype=torch.float), gaussian_window_softmax(*given)[0, 0]
        )


def test_gaussian_takes_from_the_sum(widget):
    within, favoured = sums(widget)
    assert within == 1
    assert 0.3 < favoured < 1


def test_arrow_keys_push_the_window(widget):
    before = widget.get_by_role("img").get_attribute("aria-label")
    for _ in range(20):
        widget.get_by_role("slider", name="Centre p").press("ArrowRight")
    assert widget.get_by_role("img").get_attribute("aria-label") != before
    assert "beyond the end" in spoken(widget)


def test_window_beyond_the_end_is_empty(widget):
    widget.get_by_role("slider", name="Centre p").press("End")
    widget.get_by_role("slider", name="Half width D").press("Home")
    assert sums(widget) == [0, 0]
    assert "holds no word" in spoken(widget)


def test_window_at_the_beginning_shares_the_whole_one(widget):
    widget.get_by_role("slider", name="Centre p").press("Home")
    assert sums(widget)[0] == 1
    assert "beyond the beginning: the 2 words inside share" in spoken(widget)


def test_table_follows(widget):
    widget.get_by_role("slider", name="Half width D").press("Home")
    widget.locator("summary").click()
    assert widget.locator("tbody tr", has_text="outside").count() == 10
