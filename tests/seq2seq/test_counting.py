import pytest
import torch
from torch import nn

from seq2seq.experiments import counting
from seq2seq.experiments.counting import END, A, B

QUICK = counting.SETTINGS | {"steps": {"rnn": 3, "lstm": 3, "stack_rnn": 3}}


class Counter(nn.Module):
    """Foretells by counting, up to `reach`."""

    def __init__(self, reach):
        super().__init__()
        self.reach = reach

    def forward(self, ids):
        logits = torch.zeros(*ids.shape, 3)
        for row, symbols in enumerate(ids.tolist()):
            for t in range(len(symbols)):
                a, b = symbols[: t + 1].count(A), symbols[: t + 1].count(B)
                logits[row, t, A if b == 0 else B if b < min(a, self.reach) else END] = 1
        return logits, None


def test_a_sequence_is_n_times_a_and_n_times_b_between_two_ends():
    inputs, targets = counting.sequences([2, 3])
    assert inputs[0].tolist() == [END, A, A, B, B, END, END]
    assert targets[0].tolist() == [A, A, B, B, END, -100, -100]
    assert inputs[1].tolist() == [END, A, A, A, B, B, B]
    assert targets[1].tolist() == [A, A, A, B, B, B, END]


def test_what_counts_is_all_that_follows_the_first_b():
    assert counting.counted(Counter(reach=99), [1, 2, 5, 9]) == [True] * 4
    assert counting.counted(Counter(reach=4), [1, 4, 5, 9]) == [True, True, False, False]


@pytest.mark.parametrize("name", QUICK["steps"])
def test_training_lowers_the_loss(name):
    torch.manual_seed(1)
    model = counting.build(name, QUICK)
    losses = counting.train(model, 30, 0, QUICK)
    assert losses[-1] < losses[0]
