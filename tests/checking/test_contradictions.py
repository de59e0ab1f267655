"""An answer that differs once is wrong, and an earlier answer that fails is named: nothing is tried a second time."""

import itertools

import pytest
import torch

from autograder.expect import CheckFailed
from autograder.tasks.masking import Checker, check
from seq2seq.attention import attend, masked_softmax


def wrong_at_first(times):
    """A right answer that doubles the weights in its first calls."""
    calls = itertools.count()
    return lambda *args, **kwargs: masked_softmax(*args, **kwargs) * (2 if next(calls) < times else 1)


@pytest.fixture
def fresh():
    return Checker("autograder.tasks.masking", check.tasks)


@pytest.mark.parametrize("times", [1, 2, 3, 5, 8, 30])
@pytest.mark.parametrize("is_hidden", [False, True])
def test_what_is_wrong_in_a_first_look_stays_wrong(fresh, times, is_hidden):
    with pytest.raises(CheckFailed):
        fresh("masked_softmax", wrong_at_first(times), hidden=is_hidden)


def test_what_was_right_when_played_again_is_told_as_a_contradiction(fresh):
    with pytest.raises(CheckFailed) as failure:
        fresh("masked_softmax", wrong_at_first(1))
    assert failure.value.finding.mistake == "contradicts"
    assert "depend on the arguments alone" in str(failure.value)
    assert failure.value.finding.diagnosis.endswith("the same call gives different results")


def test_a_later_answer_names_the_earlier_one_that_fails(fresh):
    def without_mask(scores, source_mask, temperature=1.0):
        return torch.softmax(scores / temperature, dim=-1)

    def attending(scores, values, source_mask):
        weights = without_mask(scores, source_mask)
        return torch.einsum("bk,bkv->bv", weights, values), weights

    with pytest.raises(CheckFailed):
        fresh("masked_softmax", without_mask)
    with pytest.raises(CheckFailed) as failure:
        fresh("attend", attending)
    assert failure.value.finding.mistake == "earlier"
    assert "your `masked_softmax`, whose own check fails: fix that first" in str(failure.value)
    fresh("masked_softmax", masked_softmax)
    with pytest.raises(CheckFailed) as failure:
        fresh("attend", attending)
    assert failure.value.finding.mistake != "earlier"
    with pytest.raises(CheckFailed):
        fresh("masked_softmax", without_mask)
    fresh("attend", attend)  # a right answer passes whatever became of the earlier ones
