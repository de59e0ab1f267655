"""The gradient norms of the experiment against PyTorch's Jacobian."""

import pytest
import torch

from seq2seq.experiments import gradient_norm
from seq2seq.experiments.gradient_norm import CELLS, FirstSymbol, gradient_norms, per_step
from seq2seq.layers.recurrent import recurrent_layer

BATCH, STEPS, INPUT, HIDDEN = 2, 4, 3, 5


@pytest.mark.parametrize("cell", CELLS)
def test_norms_equal_those_of_the_jacobian(cell):
    layer = recurrent_layer(cell, INPUT, HIDDEN).double()
    inputs = torch.randn(BATCH, STEPS, INPUT, dtype=torch.float64)
    norms = gradient_norms(layer, inputs)
    for row in range(BATCH):
        jacobian = torch.autograd.functional.jacobian(lambda words: layer(words)[0][0, -1], inputs[row : row + 1])
        torch.testing.assert_close(norms[row], jacobian[:, 0].norm(dim=(0, 2)))


def test_the_gain_multiplies_an_orthogonal_matrix_and_the_factor_per_step_is_read_from_distance_one_to_the_last():
    matrix = FirstSymbol("rnn", 6, 1.5).rnn.weight_hh_l0
    torch.testing.assert_close(matrix @ matrix.T, 2.25 * torch.eye(6), atol=1e-5, rtol=0)
    assert per_step([9.0, 8.0, 4.0, 2.0]) == pytest.approx(0.5)


def test_the_simple_network_vanishes_below_gain_one(quick):
    (run,) = [run for run in quick(gradient_norm)["runs"] if (run["cell"], run["gain"]) == ("rnn", 0.5)]
    assert per_step(run["at_first"]) < 0.5
