import pytest
import torch

from seq2seq.attention import masked_softmax
from seq2seq.widgets.sampling import FINE, TEMPERATURES, Sampling, luck, tempered

SCORES = torch.tensor([0.3, -1.0, 1.2])


def test_weights_are_those_of_every_temperature():
    for row, temperature in zip(tempered(SCORES, TEMPERATURES), TEMPERATURES, strict=True):
        expected = masked_softmax(SCORES, torch.ones(3, dtype=torch.bool), temperature)
        torch.testing.assert_close(torch.tensor(row), expected, atol=1e-5, rtol=0)


def test_luck_can_be_had_again_and_stays_below_1():
    first, second = (luck(500, torch.Generator().manual_seed(0)) for _ in range(2))
    assert first == second
    assert min(first) >= 0
    assert max(first) < 1
    assert all(round(number * FINE) == pytest.approx(number * FINE) for number in first)


def test_values_must_lie_in_the_plane():
    with pytest.raises(ValueError, match=r"values: got shape \(3, 3\), expected \(keys=3, 2\)"):
        Sampling(SCORES, torch.zeros(3, 3), torch.Generator())


def test_text_holds_the_weights():
    assert "0.27, 0.07, 0.66" in Sampling(SCORES, torch.zeros(3, 2), torch.Generator()).text()
