import torch

from autograder.checking.relations import relation

RIGHT = torch.tensor([[0.2, 0.5, 0.3], [0.1, 0.1, 0.8]])
AXES = ["batch", "keys"]


OF_TENSORS = [
    *((3 * RIGHT, "factor"), (-RIGHT, "sign"), (RIGHT + 0.25, "offset"), (RIGHT.softmax(-1), "softmax")),
    *((RIGHT - RIGHT.amax(-1, keepdim=True), "row_offset"), (RIGHT.log(), "log"), (1 - RIGHT, "one_minus")),
    *((RIGHT.flip(-1), "flipped_1"), (RIGHT.T.reshape(2, 3), "reshaped_0_1")),
    (torch.tensor([[0.0, 0.2, 0.5], [0.0, 0.1, 0.1]]), "shifted_1_late"),
    (torch.full((2, 3), 0.4), "no_distribution"),
    (torch.tensor([[0.9, 0.3, 0.1], [0.1, 0.7, 0.7]]), "no_distribution"),
]
OF_NUMBERS = [
    *((0.2, 0.8, "one_minus"), (4.0, 0.25, "inverse"), (2.0, 0.6931472, "log"), (3, 4, "off_1"), (7.0, 21.0, "factor")),
    *(
        ([1, 2, 3], [3, 2, 1], "reversed"),
        ([1, 2, 3], [2, 3], "first_missing"),
        ([1, 2, 3], [1, 2, 3, 3], "last_extra"),
    ),
    *(([1, 2, 3], [2, 3, 4], "off"), ([1, 2, 3], [2, 1, 3], "order")),
    (torch.tensor([True, False]), torch.tensor([False, True]), "not"),
]
WIDE = torch.rand(4, 3, dtype=torch.float64)


def test_a_relation_is_named():
    assert [relation([(RIGHT, wrong, AXES)])[0] for wrong, _ in OF_TENSORS] == [wanted for _, wanted in OF_TENSORS]
    names = [relation([(right, wrong, [])])[0] for right, wrong, _ in OF_NUMBERS]
    assert names == [wanted for _, _, wanted in OF_NUMBERS]


OF_CASES = [
    ([(RIGHT, 3 * RIGHT, AXES), (RIGHT, RIGHT.flip(-1), AXES)], None),  # not the same in every case
    ([(RIGHT, 3 * RIGHT, AXES), (RIGHT, 2 * RIGHT, AXES)], "factor"),
    ([(WIDE, WIDE.float().double(), AXES)], "single_precision"),  # right to seven digits
    ([(2.0, 6.2, []), (3.0, 7.0, [])], None),  # another factor of a number in each case
    ([(2.0, 2.7, [])], None),  # any number is a multiple of any other
    *(([(2.0, 2.7, []), (4.0, 5.4, [])], "factor"), ([(2.0, 20.0, [])], "factor")),
]


def test_a_relation_holds_in_every_case_and_a_factor_that_changes_is_told_without_its_number():
    assert [(relation(cases) or [None])[0] for cases, _ in OF_CASES] == [wanted for _, wanted in OF_CASES]
    assert "3" not in relation(OF_CASES[1][0])[1]
