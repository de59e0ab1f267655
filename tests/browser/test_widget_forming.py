"""The alignment that forms, on the front page."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect
from visits import Visit, spoken

Open = Callable[..., Visit]


@pytest.fixture(params=["http", "file"])
def widget(visit: Open, request: pytest.FixtureRequest) -> Locator:
    page = visit("book/index", request.param, fresh=True).page
    return page.get_by_role("group", name="An alignment that forms while the model is trained")


def test_it_stands_above_the_fold(visit: Open) -> None:
    page = visit("book/index", fresh=True).page
    top = page.get_by_role("button", name="Watch it form").bounding_box()
    assert top is not None
    assert top["y"] + top["height"] < page.viewport_size["height"]


def test_the_last_step_is_shown_first(widget: Locator) -> None:
    assert "After 4,200 steps" in spoken(widget)
    assert "this one is right" in spoken(widget)


def test_arrow_keys_go_back_to_the_beginning(widget: Locator) -> None:
    picture = widget.locator("svg[role=img]")
    formed = picture.get_attribute("aria-label")
    widget.get_by_role("slider", name="Steps of training").press("Home")
    assert "After 0 steps" in spoken(widget)
    assert picture.get_attribute("aria-label") != formed


def test_it_forms_by_itself_and_stops(widget: Locator) -> None:
    slider, button = widget.get_by_role("slider"), widget.locator(".fo-play")
    slider.press("Home")
    button.click()
    expect(button).to_have_text("Pause")
    expect(widget.locator(".cw-spoken")).to_have_text(re.compile("After 4,200 steps"), timeout=30_000)
    expect(button).to_have_text("Watch it form")


def test_it_pauses_where_it_is(widget: Locator) -> None:
    button = widget.locator(".fo-play")
    button.click()
    expect(widget.locator(".cw-spoken")).to_have_text(re.compile("After [1-9]00 steps"))
    button.click()
    there = spoken(widget)
    widget.page.wait_for_timeout(1500)
    assert spoken(widget) == there


def test_every_sentence_has_its_own_table(widget: Locator) -> None:
    choice, picture, seen = widget.get_by_role("combobox"), widget.locator("svg[role=img]"), set()
    for place in range(choice.locator("option").count()):
        choice.select_option(str(place))
        seen.add(picture.get_attribute("aria-label"))
    assert len(seen) == 3


def test_a_cell_says_its_weight(widget: Locator) -> None:
    said = widget.locator(".fo-cell title").all_text_contents()
    assert all(re.fullmatch(r"before “.+”, weight of “.+”: \d\.\d\d", text) for text in said)
