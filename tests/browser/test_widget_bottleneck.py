"""The length as a slider, in chapter 3."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Locator
from visits import Visit, spoken

Open = Callable[..., Visit]


@pytest.fixture(params=["http", "file"])
def widget(visit: Open, request: pytest.FixtureRequest) -> Locator:
    page = visit("book/03_bottleneck", request.param, fresh=True).page
    return page.get_by_role("group", name="Translations by the length of the source")


def words(widget: Locator, name: str) -> list[str]:
    said = widget.locator(".bn-sentences p", has=widget.page.locator("strong", has_text=name)).inner_text()
    return said.split("\n")[1].split()


def test_arrow_keys_lengthen_the_sentence(widget):
    slider = widget.get_by_label("Words in the source")
    before, picture = len(words(widget, "Source")), widget.get_by_role("img").get_attribute("aria-label")
    for _ in range(12):
        slider.press("ArrowRight")
    assert len(words(widget, "Source")) == before + 12
    assert widget.get_by_label("or type it").input_value() == str(before + 12)
    assert widget.get_by_role("img").get_attribute("aria-label") != picture


def test_typed_length_is_shown(widget):
    widget.get_by_label("or type it").fill("45")
    assert len(words(widget, "Source")) == 45
    assert widget.get_by_label("Words in the source").input_value() == "45"
    assert spoken(widget).startswith("45 words")


@pytest.mark.parametrize("bad", ["3", "61", "7.5", ""])
def test_length_that_is_not_there_is_named(widget, bad):
    before = words(widget, "Source")
    widget.get_by_label("or type it").fill(bad)
    assert "a whole number from 4 to 60 is expected" in widget.get_by_role("alert").inner_text()
    assert words(widget, "Source") == before


def test_long_sentences_are_lost_by_the_vector_and_kept_by_attention(widget):
    widget.get_by_label("Words in the source").press("End")
    assert len(words(widget, "Source")) == 60
    marked = {
        name: widget.locator("p", has_text=name).locator("mark").count() for name in ("Fixed vector", "Attention")
    }
    assert marked["Fixed vector"] > 20 > marked["Attention"]
    assert "longer than any sentence of the training" in spoken(widget)


def test_wrong_words_are_marked_by_more_than_colour(widget):
    widget.get_by_label("Words in the source").press("End")
    style = widget.locator("mark").first.evaluate("mark => getComputedStyle(mark).textDecorationStyle")
    assert style == "wavy"


def test_table_names_the_wrong_words(widget):
    widget.get_by_label("or type it").fill("45")
    widget.locator("summary").click()
    marked = widget.locator("p", has_text="Fixed vector").locator("mark").all_inner_texts()
    cell = widget.locator("tbody tr", has_text="fixed vector").locator("td").last
    assert cell.inner_text() == ", ".join(marked)
