import pytest
import torch

from seq2seq.corpora.long_memory import adding, multiplication

BATCH, LENGTH = 300, 40
TASKS = [adding, multiplication]


def draw(task, seed=1, device="cpu"):
    return task(BATCH, LENGTH, torch.Generator(device).manual_seed(seed))


def marked(inputs):
    """The values at the markers of 1, a list for each row."""
    return [[value for value, marker in row if marker == 1] for row in inputs.tolist()]


def test_the_sum_of_the_two_marked_values_is_asked_for():
    inputs, _, targets = draw(adding)
    expected = torch.tensor([0.5 + (one + other) / 4 for one, other in marked(inputs)])
    torch.testing.assert_close(targets, expected)


def test_the_product_of_the_two_marked_values_is_asked_for():
    inputs, _, targets = draw(multiplication)
    torch.testing.assert_close(targets, torch.tensor([one * other for one, other in marked(inputs)]))


@pytest.mark.parametrize(("task", "lowest"), [(adding, -1), (multiplication, 0)])
def test_values_fill_the_range_of_the_task(task, lowest):
    inputs, mask, _ = draw(task)
    values = inputs[..., 0][mask]
    assert lowest <= values.min() < lowest + 0.01
    assert 0.99 < values.max() <= 1


@pytest.mark.parametrize("task", TASKS)
def test_lengths_run_from_the_one_asked_for_to_a_tenth_more(task):
    inputs, mask, targets = draw(task)
    assert set(mask.sum(1).tolist()) == {40, 41, 42, 43, 44}
    assert inputs.shape == (BATCH, 44, 2)
    assert targets.shape == (BATCH,)


@pytest.mark.parametrize("task", TASKS)
def test_the_ends_are_marked_with_minus_one(task):
    inputs, mask, _ = draw(task)
    for row, length in zip(inputs, mask.sum(1).tolist(), strict=True):
        assert (row[:, 1] == -1).nonzero().flatten().tolist() == [0, length - 1]


@pytest.mark.parametrize("task", TASKS)
def test_one_marker_is_among_the_first_ten_and_both_in_the_first_half(task):
    inputs, mask, _ = draw(task)
    places = [row.nonzero().flatten().tolist() for row in inputs[..., 1] == 1]
    for (first, second), length in zip(places, mask.sum(1).tolist(), strict=True):
        assert 0 < first < second < length // 2 - 1
    assert {first for first, _ in places} == set(range(1, 10))
    assert {second for _, second in places} >= set(range(2, 19))


@pytest.mark.parametrize("task", TASKS)
def test_padding_is_zero(task):
    inputs, mask, _ = draw(task)
    assert inputs[~mask].eq(0).all()
    assert (~mask).any()


@pytest.mark.parametrize("task", TASKS)
def test_a_seed_repeats_the_sequences_and_another_does_not(task):
    once, again, other = draw(task, 3), draw(task, 3), draw(task, 4)
    assert all(torch.equal(ours, theirs) for ours, theirs in zip(once, again, strict=True))
    assert not torch.equal(once.inputs, other.inputs)


@pytest.mark.parametrize("task", TASKS)
def test_a_sequence_too_short_for_its_markers_is_refused(task):
    with pytest.raises(ValueError, match="length: got 21, expected at least 22"):
        task(2, 21, torch.Generator())


def test_the_shortest_sequence_has_two_different_marked_steps():
    inputs, _, _ = adding(2000, 22, torch.Generator().manual_seed(1))
    assert (inputs[..., 1] == 1).sum(1).eq(2).all()


@pytest.mark.cuda
@pytest.mark.parametrize("task", TASKS)
def test_sequences_are_made_on_the_device_of_the_generator(task):
    assert all(part.is_cuda for part in draw(task, device="cuda"))
