import pytest
import torch

from seq2seq.widgets.saturation import Saturation, saturation, slope

NAMES = ["dot product", "scaled dot product"]


def generator():
    return torch.Generator().manual_seed(3)


@pytest.fixture
def rows():
    return saturation([1, 16, 256], keys=5, draws=50, shown=2, generator=generator())


def test_slope_is_the_norm_of_the_softmax_s_jacobian():
    scores = torch.randn(5)
    jacobian = torch.autograd.functional.jacobian(lambda e: torch.softmax(e, -1), scores)
    torch.testing.assert_close(slope(torch.softmax(scores, -1)), jacobian.norm())


def test_weights_are_those_of_the_draws(rows):
    query, keys = (torch.randn(50, *shape, 256, generator=g) for g in [generator()] for shape in ((), (5,)))
    scores = (keys[1, :, :16] @ query[1, :16]) / 4
    assert rows[1]["scaled dot product"]["weights"][1] == pytest.approx(torch.softmax(scores, -1).tolist(), abs=1e-4)


def test_dot_product_saturates_and_the_scaled_one_does_not(rows):
    largest = {name: [row[name]["largest"] for row in rows] for name in NAMES}
    slopes = {name: [row[name]["slope"] for row in rows] for name in NAMES}
    assert largest["dot product"][2] > 0.9 > 0.6 > largest["scaled dot product"][2]
    assert slopes["dot product"][2] < slopes["scaled dot product"][2] / 3


def test_at_size_1_both_are_one(rows):
    assert rows[0]["dot product"] == rows[0]["scaled dot product"]


def test_text_says_how_it_saturates():
    widget = Saturation(generator(), sizes=[1, 64], keys=3, draws=20, shown=1)
    assert "at size 1" in widget.text()
    assert widget.data["scorers"] == NAMES
