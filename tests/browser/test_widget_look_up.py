"""The query to turn, in chapter 4."""

import re
from collections.abc import Callable

import pytest
import torch
from playwright.sync_api import Locator
from visits import Visit, spoken

from seq2seq.attention import attend

Open = Callable[..., Visit]
STATES = torch.tensor([[-1.2, 0.3], [0.5, -1.1], [1.3, 0.9], [-0.3, 1.5]])


@pytest.fixture(params=["http", "file"])
def widget(visit: Open, request: pytest.FixtureRequest) -> Locator:
    page = visit("book/04_attention", request.param, fresh=True).page
    return page.get_by_role("group", name="A query among keys and values")


def context(widget: Locator) -> torch.Tensor:
    told = spoken(widget).replace("−", "-")
    return torch.tensor([float(number) for number in re.search(r"\((.+), (.+)\)", told).groups()])


def dial(widget: Locator) -> tuple[int, float]:
    direction, length = (widget.get_by_role("slider", name=f"Query {name}") for name in ("direction", "length"))
    return int(direction.input_value()), float(length.get_attribute("aria-valuetext"))


def test_context_is_that_of_the_library_in_every_direction(widget):
    mask = torch.ones(1, 4, dtype=torch.bool)
    for _ in range(8):
        for _ in range(5):
            widget.get_by_role("slider", name="Query direction").press("ArrowRight")
        degrees, length = dial(widget)
        turn = torch.deg2rad(torch.tensor(float(degrees)))
        query = length * torch.stack([turn.cos(), turn.sin()])
        expected, _ = attend((STATES @ query).unsqueeze(0), STATES.unsqueeze(0), mask)
        torch.testing.assert_close(context(widget), expected[0], atol=0.011, rtol=0)


def test_query_of_length_0_fetches_the_mean(widget):
    widget.get_by_role("slider", name="Query length").press("Home")
    torch.testing.assert_close(context(widget), STATES.mean(0), atol=0.006, rtol=0)
    assert "same weight" in spoken(widget)


def test_scorer_changes_scores_and_picture(widget):
    pictures = widget.get_by_role("img")
    seen = set()
    for name in ("dot product", "scaled dot product", "bilinear", "additive"):
        widget.get_by_role("combobox", name="Scorer").select_option(name)
        seen.add((pictures.nth(1).get_attribute("aria-label"), pictures.nth(2).get_attribute("aria-label")))
    assert len(seen) == 4


def test_table_follows_the_dial(widget):
    widget.get_by_role("slider", name="Query direction").press("End")
    widget.locator("summary").click()
    assert "355 degrees" in widget.locator("caption").inner_text()
    cells = widget.locator("tbody td:nth-child(4)").all_inner_texts()
    assert abs(sum(float(cell) for cell in cells) - 1) < 0.003


def test_query_can_be_dragged(widget):
    page, handle = widget.page, widget.locator('[data-handle="query"]')
    handle.scroll_into_view_if_needed()
    plane = widget.get_by_role("img").first.bounding_box()
    middle = plane["x"] + plane["width"] / 2, plane["y"] + plane["height"] * 166 / 316
    box = handle.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    for degrees in (90, 180, 270, 0):
        turn = torch.deg2rad(torch.tensor(float(degrees)))
        page.mouse.move(middle[0] + 90 * float(turn.cos()), middle[1] - 90 * float(turn.sin()))
        assert dial(widget)[0] == degrees
    page.mouse.move(middle[0] + 1, middle[1])
    assert dial(widget)[1] == 0
    page.mouse.up()
    page.mouse.move(middle[0], middle[1] - 90)
    assert dial(widget) == (0, 0)
