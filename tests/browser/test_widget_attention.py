"""Widgets of keys, scorers and masks: what they show when they are worked, beside what the library says."""

import math
import re

import pytest
import torch
from playwright.sync_api import Locator
from visits import drag, middle, spoken
from worked import Show, caption, control, drawn, numbers, picture, table, work

from seq2seq.attention import attend

KEYS = torch.tensor([[-1.2, 0.3], [0.5, -1.1], [1.3, 0.9], [-0.3, 1.5]])


def dial(widget: Locator) -> tuple[int, float]:
    direction, length = control(widget, "Query direction"), control(widget, "Query length")
    return int(direction.input_value()), float(length.get_attribute("aria-valuetext"))


def context_shown(widget: Locator) -> torch.Tensor:
    return torch.tensor(numbers(re.search(r"\((.+, .+)\)", spoken(widget))[1]))


def test_context_is_that_of_the_library_in_every_direction_and_the_mean_at_length_0(show: Show):
    widget, mask = show("look_up"), torch.ones(1, 4, dtype=torch.bool)
    for direction in range(5, 360, 50):
        work(widget, {"Query direction": direction})
        degrees, length = dial(widget)
        assert degrees == direction
        turn = torch.deg2rad(torch.tensor(float(degrees)))
        query = length * torch.stack([turn.cos(), turn.sin()])
        expected, weights = attend((KEYS @ query).unsqueeze(0), KEYS.unsqueeze(0), mask)
        torch.testing.assert_close(context_shown(widget), expected[0], atol=0.011, rtol=0)
        assert f"{degrees} degrees" in caption(widget)
        assert [float(row[2]) for row in table(widget)] == pytest.approx(weights[0].tolist(), abs=0.0011)
    seen = set()
    for name in ("bilinear", "scaled dot product", "additive", "dot product"):
        work(widget, {"Scorer": name})
        seen.add(picture(widget).partition("; ")[2])
    assert len(seen) == 4
    work(widget, {"Query length": "Home"})
    torch.testing.assert_close(context_shown(widget), KEYS.mean(0), atol=0.006, rtol=0)
    assert "same weight" in spoken(widget)


def test_query_can_be_dragged(show: Show):
    widget = show("look_up")
    mouse, handle = widget.page.mouse, widget.locator('[data-handle="query"]')
    plane = widget.get_by_role("img").first.bounding_box()
    x, y = plane["x"] + plane["width"] / 2, plane["y"] + plane["height"] * 166 / 316
    mouse.move(*middle(handle))
    mouse.down()
    for degrees in (90, 180, 270, 0):
        turn = math.radians(degrees)
        mouse.move(x + 90 * math.cos(turn), y - 90 * math.sin(turn))
        assert dial(widget)[0] == degrees
    mouse.move(x + 1, y)
    assert dial(widget)[1] == 0
    mouse.up()
    mouse.move(x, y - 90)
    assert dial(widget) == (0, 0)


def shown_by_matrix(widget: Locator) -> tuple[torch.Tensor, ...]:
    """W, the query, the gradients of both, and the weights."""
    told = numbers(caption(widget))
    W, query, of_matrix, of_query = (torch.tensor(told[a:b]) for a, b in ((0, 4), (4, 6), (6, 10), (10, 12)))
    weights = torch.tensor([numbers(row[-1])[0] for row in table(widget)])
    return W.view(2, 2), query, of_matrix.view(2, 2), of_query, weights


@pytest.mark.parametrize(("place", "wanted"), list(enumerate(["the", "cat", "sat", "down"])))
def test_weights_and_gradients_of_the_matrix_are_pytorch_s(show: Show, place: int, wanted: str):
    widget = show("matrix")
    work(widget, {"The weight should go to": wanted, "W 1,2": 0.6, "W 2,1": -0.4, "query 2": 0.7})
    work(widget, {"W 1,2": "ArrowRight"})
    W, query, *shown = shown_by_matrix(widget)
    torch.testing.assert_close(W, torch.tensor([[1.0, 0.7], [-0.4, 1.0]]))
    torch.testing.assert_close(query, torch.tensor([1.2, 0.7]))
    W, query = W.requires_grad_(), query.requires_grad_()
    weights = torch.softmax(KEYS @ W.T @ query, 0)
    expected = (*torch.autograd.grad(weights[place].log(), (W, query)), weights.detach())
    torch.testing.assert_close(tuple(shown), expected, atol=1.1e-3, rtol=0)


def test_learning_raises_the_chosen_weight_until_little_is_left_and_columns_and_query_can_be_dragged(show: Show):
    widget, seen = show("matrix"), []
    work(widget, {"The weight should go to": "cat"})
    for _ in range(60):
        seen.append(float(shown_by_matrix(widget)[-1][1]))
        work(widget, {"One step of learning": "Enter"})
    assert seen == sorted(seen)
    assert seen[0] < 0.3
    assert seen[-1] > 0.9
    assert "little is left to learn" in spoken(widget)
    work(widget, {"As at first": 1})
    assert float(shown_by_matrix(widget)[-1][1]) == seen[0]
    for name, read in {"1": lambda shown: shown[0][:, 1], "query": lambda shown: shown[1]}.items():
        before = read(shown_by_matrix(widget))
        drag(widget.locator(f'[data-handle="{name}"]'), -40, 25)
        moved = read(shown_by_matrix(widget)) - before
        assert moved[0] < -0.3
        assert moved[1] < -0.2


def test_large_vectors_saturate_the_dot_product_alone_and_queries_come_round(show: Show):
    widget = show("saturation")
    work(widget, {"Vector size d": "End"})
    weights, gradients = drawn(widget, "cw-number"), drawn(widget, "st-gradient")
    assert max(weights[:10]) > 0.9 > max(weights[10:])
    assert gradients[0] < gradients[1] / 10
    rows = table(widget)
    assert float(rows[1][0]) > 0.9 > float(rows[1][1])
    assert all(re.fullmatch(r"\d\.\d\d", cell) for row in rows[4:] for cell in row)
    assert len(rows) == 4 + 10
    first = picture(widget)
    seen = [picture(widget) for _ in range(8) if work(widget, {"Another query": "Space"})]
    assert len(set(seen)) == 8
    assert seen[7] == first
    work(widget, {"Vector size d": "Home"})
    weights = drawn(widget, "cw-number")
    assert weights[:10] == weights[10:]
    assert "At d = 1," in spoken(widget)


def test_a_masked_token_leaves_its_weight_to_the_others_and_masked_after_the_softmax_the_row_falls_short(show: Show):
    widget = show("masking")
    work(widget, {"Temperature τ": "Home"})
    assert drawn(widget, "cw-number") == [0, 0, 1, 0, 0, 0, 0, 0]
    work(widget, {"Temperature τ": "End"})
    weights = drawn(widget, "cw-number")
    assert max(weights) - min(weights[:6]) < 0.05
    assert "The 5 real tokens share" in work(widget, {"3 back": "Space"})
    weights = drawn(widget, "cw-number")
    assert weights[2] == 0
    assert sum(weights) == pytest.approx(1, abs=0.03)
    for box in widget.get_by_role("checkbox").all():
        box.uncheck()
    assert drawn(widget, "cw-number") == [0] * 8
    assert "No token is real" in spoken(widget)
    assert "masked 0.00" in picture(widget)
    widget = show("masking")
    assert "is gone" in work(widget, {"The mask comes": "after the softmax"})
    assert sum(drawn(widget, "cw-number")) < 0.96
    assert widget.locator(".cw-hollow").count() == 2
    work(widget, {"The mask comes": "after it, divided by the sum"})
    assert sum(drawn(widget, "cw-number")) == pytest.approx(1, abs=0.03)
    work(widget, dict.fromkeys(["1 she", "3 back", "4 in", "5 the", "6 evening"], False))
    assert drawn(widget, "cw-number")[1] == 1
    assert "NaN" in work(widget, {"Temperature τ": "Home"})
    assert math.isnan(drawn(widget, "cw-number")[1])
