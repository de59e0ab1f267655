"""The matrix to turn, in chapter 5: weights and gradients are those of PyTorch."""

import re
from collections.abc import Callable

import pytest
import torch
from playwright.sync_api import Locator
from visits import Visit, spoken

Open = Callable[..., Visit]
WORDS = ["the", "cat", "sat", "down"]
KEYS = torch.tensor([[-1.2, 0.3], [0.5, -1.1], [1.3, 0.9], [-0.3, 1.5]])
NUMBER = re.compile(r"−?\d+\.\d+")


@pytest.fixture(params=["http", "file"])
def widget(visit: Open, request: pytest.FixtureRequest) -> Locator:
    page = visit("book/05_scorers", request.param, fresh=True).page
    return page.get_by_role("group", name="The matrix of the bilinear score")


def numbers(text: str) -> list[float]:
    return [float(number.replace("−", "-")) for number in NUMBER.findall(text)]


def shown(widget: Locator) -> tuple[torch.Tensor, ...]:
    """W, the query, the gradients of both, and the weights."""
    table = widget.locator("table")
    told = numbers(table.locator("caption").text_content())
    weights = [numbers(cell)[0] for cell in table.locator("tbody td:last-child").all_text_contents()]
    W, query, of_matrix, of_query = (torch.tensor(told[a:b]) for a, b in ((0, 4), (4, 6), (6, 10), (10, 12)))
    return W.view(2, 2), query, of_matrix.view(2, 2), of_query, torch.tensor(weights)


def expected(W: torch.Tensor, query: torch.Tensor, wanted: int) -> tuple[torch.Tensor, ...]:
    W, query = W.clone().requires_grad_(), query.clone().requires_grad_()
    weights = torch.softmax(KEYS @ W.T @ query, 0)
    return (*torch.autograd.grad(weights[wanted].log(), (W, query)), weights.detach())


@pytest.mark.parametrize("wanted", range(4))
def test_weights_and_gradients_are_pytorchs(widget, wanted):
    widget.get_by_role("combobox", name="The weight should go to").select_option(WORDS[wanted])
    for name, presses in {"W 1,2": 7, "W 2,1": -4, "query 2": 3}.items():
        for _ in range(abs(presses)):
            widget.get_by_role("slider", name=name).press("ArrowRight" if presses > 0 else "ArrowLeft")
    W, query, *found = shown(widget)
    torch.testing.assert_close(W, torch.tensor([[1.0, 0.7], [-0.4, 1.0]]))
    torch.testing.assert_close(query, torch.tensor([1.2, 0.7]))
    for one, other in zip(found, expected(W, query, wanted), strict=True):
        torch.testing.assert_close(one, other, atol=1.1e-3, rtol=0)


def test_learning_raises_the_chosen_weight_until_little_is_left(widget):
    widget.get_by_role("combobox", name="The weight should go to").select_option("cat")
    seen = []
    for _ in range(60):
        seen.append(float(shown(widget)[-1][1]))
        widget.get_by_role("button", name="One step of learning").click()
    assert seen == sorted(seen)
    assert seen[0] < 0.3
    assert seen[-1] > 0.9
    assert "little is left to learn" in spoken(widget)
    widget.get_by_role("button", name="As at first").click()
    assert float(shown(widget)[-1][1]) == seen[0]


def test_columns_and_query_can_be_dragged(widget):
    page = widget.page
    for name, read in {"1": lambda found: found[0][:, 1], "query": lambda found: found[1]}.items():
        handle = widget.locator(f'[data-handle="{name}"]')
        handle.scroll_into_view_if_needed()
        box = handle.bounding_box()
        middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        before = read(shown(widget))
        page.mouse.move(*middle)
        page.mouse.down()
        page.mouse.move(middle[0] - 40, middle[1] + 25, steps=4)
        page.mouse.up()
        moved = read(shown(widget)) - before
        assert moved[0] < -0.3
        assert moved[1] < -0.2
        page.mouse.move(*middle)  # let go: nothing follows any more
        torch.testing.assert_close(read(shown(widget)) - before, moved)
