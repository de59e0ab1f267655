import pytest
import torch

from seq2seq.experiments.weighted_sum import WAYS, draw, forward_and_backward, measure


@pytest.mark.parametrize("name", WAYS)
def test_every_timed_way_gives_the_weighted_sum_and_its_gradient(name):
    weights, values = draw(keys=3)
    torch.testing.assert_close(WAYS[name](weights, values), torch.einsum("bj,bjd->bd", weights, values))
    expected = torch.autograd.grad(torch.einsum("bj,bjd->", weights, values), [weights, values])
    torch.testing.assert_close(forward_and_backward(WAYS[name], weights, values), expected)


def test_every_way_is_timed_with_and_without_the_backward_pass_unless_ways_disagree(monkeypatch):
    measured = {label: list(times) for label, times in measure(keys=2, repeats=dict.fromkeys(WAYS, 1)).items()}
    assert measured == {"forward": list(WAYS), "forward_and_backward": list(WAYS)}
    monkeypatch.setitem(WAYS, "by_key", lambda weights, values: values.sum(1))
    with pytest.raises(AssertionError):
        measure(keys=2, repeats=dict.fromkeys(WAYS, 1))
