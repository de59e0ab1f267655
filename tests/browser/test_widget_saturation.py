"""The vector size as a slider, in chapter 5."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator
from visits import Visit, spoken

Open = Callable[..., Visit]


@pytest.fixture(params=["http", "file"])
def widget(visit: Open, request: pytest.FixtureRequest) -> Locator:
    page = visit("book/05_scorers", request.param, fresh=True).page
    return page.get_by_role("group", name="Weights of random keys by vector size")


def weights(widget: Locator) -> tuple[list[float], list[float]]:
    numbers = [float(text) for text in widget.locator("text.cw-number").all_text_contents()]
    return numbers[:10], numbers[10:]


def gradients(widget: Locator) -> list[float]:
    texts = widget.locator("text.st-gradient").all_text_contents()
    return [float(text.split()[-1].replace("−", "-")) for text in texts]


def test_large_vectors_saturate_the_dot_product_alone(widget):
    widget.get_by_role("slider").press("End")
    plain, scaled = weights(widget)
    assert max(plain) > 0.9 > max(scaled)
    assert gradients(widget)[0] < gradients(widget)[1] / 10


def test_at_size_1_both_are_the_same(widget):
    widget.get_by_role("slider").press("Home")
    plain, scaled = weights(widget)
    assert plain == scaled
    assert "At d = 1," in spoken(widget)


def test_another_query_by_keyboard_and_at_last_the_first_again(widget):
    seen = []
    for _ in range(9):
        seen.append(widget.get_by_role("img").get_attribute("aria-label"))
        widget.get_by_role("button", name="Another query").press("Space")
    assert len(set(seen)) == 8
    assert seen[8] == seen[0]


def test_table_tells_the_means(widget):
    widget.locator("summary").click()
    widget.get_by_role("slider").press("End")
    rows = [row.locator("td").all_inner_texts() for row in widget.locator("tbody tr").all()]
    assert float(rows[1][0]) > 0.9 > float(rows[1][1])
    assert all(re.fullmatch(r"\d\.\d\d", cell) for row in rows[4:] for cell in row)
    assert len(rows) == 4 + 10
