"""The sinusoidal encodings against the formula, number by number."""

import math

import pytest
import torch

from seq2seq.transformer.positions import positions

LENGTH, SIZE = 7, 10


def test_encodings_equal_the_formula():
    encodings = positions(LENGTH, SIZE, dtype=torch.float64)
    for place in range(LENGTH):
        for i in range(SIZE // 2):
            angle = place / 10_000 ** (2 * i / SIZE)
            assert encodings[place, 2 * i].item() == pytest.approx(math.sin(angle), abs=1e-12)
            assert encodings[place, 2 * i + 1].item() == pytest.approx(math.cos(angle), abs=1e-12)


def test_first_says_where_counting_starts():
    torch.testing.assert_close(positions(2, SIZE, first=4), positions(LENGTH, SIZE)[4:6], rtol=0, atol=0)


def test_a_shift_turns_every_pair_by_an_angle_of_its_own():
    encodings = positions(LENGTH, SIZE, dtype=torch.float64).unflatten(1, (-1, 2))
    products = (encodings[3:] * encodings[:-3]).sum(-1)  # the cosine of the angle between p and p + 3
    torch.testing.assert_close(products, products[:1].expand_as(products))


def test_no_two_positions_of_a_long_sentence_have_one_encoding():
    distances = torch.cdist(positions(500, SIZE), positions(500, SIZE)) + 10 * torch.eye(500)
    assert distances.min() > 0.1


def test_far_positions_keep_their_digits_in_single_precision():
    far = positions(1, SIZE, first=1_000_003)
    torch.testing.assert_close(far[0, 0].item(), math.sin(1_000_003), rtol=0, atol=1e-6)


def test_an_odd_size_is_refused():
    with pytest.raises(ValueError, match="size: got 7, expected an even number"):
        positions(LENGTH, 7)
