import pytest
import torch

from autograder.checking.relations import relation

RIGHT = torch.tensor([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
AXES = ["batch", "keys"]


@pytest.mark.parametrize(
    ("wrong", "wanted"),
    [
        (3 * RIGHT, "factor"),
        (-RIGHT, "sign"),
        (RIGHT + 0.25, "offset"),
        (RIGHT - RIGHT.amax(-1, keepdim=True), "row_offset"),
        (RIGHT.softmax(-1), "softmax"),
        (RIGHT.log(), "log"),
        (1 - RIGHT, "one_minus"),
        (RIGHT.flip(-1), "flipped_1"),
        (RIGHT.T.reshape(2, 3), "reshaped_0_1"),
        (torch.tensor([[0.0, 0.2, 0.5], [0.0, 0.1, 0.1]]), "shifted_1_late"),
        (torch.full((2, 3), 0.4), "no_distribution"),
        (torch.tensor([[0.9, 0.3, 0.1], [0.1, 0.7, 0.7]]), "no_distribution"),
    ],
)
def test_a_relation_is_named(wrong, wanted):
    assert relation([(RIGHT, wrong, AXES)])[0] == wanted


@pytest.mark.parametrize(
    ("right", "wrong", "wanted"),
    [
        (0.2, 0.8, "one_minus"),
        (4.0, 0.25, "inverse"),
        (2.0, 0.6931472, "log"),
        (3, 4, "off_1"),
        (7.0, 21.0, "factor"),
        ([1, 2, 3], [3, 2, 1], "reversed"),
        ([1, 2, 3], [2, 3], "first_missing"),
        ([1, 2, 3], [1, 2, 3, 3], "last_extra"),
        ([1, 2, 3], [2, 3, 4], "off"),
        ([1, 2, 3], [2, 1, 3], "order"),
        (torch.tensor([True, False]), torch.tensor([False, True]), "not"),
    ],
)
def test_a_relation_of_numbers_and_lists_is_named(right, wrong, wanted):
    assert relation([(right, wrong, [])])[0] == wanted


def test_a_relation_that_does_not_hold_in_every_case_is_not_told():
    assert relation([(RIGHT, 3 * RIGHT, AXES), (RIGHT, RIGHT.flip(-1), AXES)]) is None


def test_a_factor_that_changes_from_case_to_case_is_told_without_its_number():
    name, words = relation([(RIGHT, 3 * RIGHT, AXES), (RIGHT, 2 * RIGHT, AXES)])
    assert name == "factor"
    assert "3" not in words


def test_right_to_seven_digits_is_single_precision():
    right = torch.rand(4, 3, dtype=torch.float64)
    assert relation([(right, right.float().double(), AXES)])[0] == "single_precision"


def test_another_factor_of_a_number_in_each_case_is_no_relation():
    assert relation([(2.0, 6.2, []), (3.0, 7.0, [])]) is None


def test_any_one_number_is_a_multiple_of_any_other():
    assert relation([(2.0, 2.7, [])]) is None
    assert relation([(2.0, 2.7, []), (4.0, 5.4, [])])[0] == "factor"
    assert relation([(2.0, 20.0, [])])[0] == "factor"
